// Plots of a track over the nights: a sparkline for the list, a chart for the page of the case.
import { dot, gridY, line, ruleX, ruleY, text } from "@observablehq/plot";
import { svg } from "./dom.ts";
import { figure, wide } from "./plots.ts";
import { isFailure, numberOf } from "./report.ts";
import { QUIET_ERROR_RATIO, UNIT_TITLE, commitOf, dayOf, stepText, valueText } from "./track_summary.ts";
import { segmentsOf } from "./tracks.ts";
import { digits, plural } from "./units.ts";
import type { Markish } from "@observablehq/plot";
import type { Points } from "./blocks.ts";
import type { Accepted, Finding, Night } from "./report.ts";
import type { Segment, Track, Tracks } from "./tracks.ts";

const WIDTH = 180;

const HEIGHT = 30;

const finite = (segment: Segment) => segment.nights.map((one) => one.value).filter(Number.isFinite);

/** Range of the y axis: at least 10 % of the mean value, so that small variation looks flat. */
function range(track: Track, segments: Segment[]): [number, number] {
  const values = segments.flatMap(finite);
  const least = values.reduce((a, b) => Math.min(a, b), Infinity);
  const most = values.reduce((a, b) => Math.max(a, b), -Infinity);
  if (values.length === 0) return [0, 1];
  if (track.unit === "error_ratio") return [0, 1.15]; // the same for all tracks; the bound is near the top
  const middle = (least + most) / 2;
  const half = Math.max((most - least) / 2, middle / 20) * 1.1;
  return [middle - half, middle + half];
}

/** A decoration: the numbers are beside it. The lines are drawn once the points are unpacked. */
export function sparkline(tracks: Tracks, track: Track): SVGElement {
  const picture = svg("svg", {
    class: "sparkline",
    width: WIDTH,
    height: HEIGHT,
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    "aria-hidden": "true",
  });
  tracks.points(track).then(
    (points) => picture.append(...sparks(tracks, track, segmentsOf(tracks, track, points))),
    () => {},
  );
  return picture;
}

function sparks(tracks: Tracks, track: Track, segments: Segment[]): SVGElement[] {
  const { times } = tracks;
  const [first, last] = [times[0]!, times[times.length - 1]!];
  const x = (night: number) => 3 + (last > first ? (times[night]! - first) / (last - first) : 0.5) * (WIDTH - 6);
  const own = segments.filter((segment) => segment.own);
  const [low, high] = range(track, own.length > 0 ? own : segments);
  const y = (value: number) => 3 + (1 - Math.min(1, Math.max(0, (value - low) / (high - low)))) * (HEIGHT - 6);
  const lines = segments.map((segment) =>
    svg("path", { d: pathOf(segment, x, y), class: segment.own ? "own" : "other" }),
  );
  const marks = track.findings.map((finding) =>
    svg("circle", {
      cx: x(finding.night).toFixed(1),
      cy: y(numberOf(finding.after)).toFixed(1),
      r: 3,
      class: lookOf(finding),
    }),
  );
  const bound =
    track.unit === "error_ratio" ? [svg("path", { d: `M0 ${y(1).toFixed(1)}H${WIDTH}`, class: "bound" })] : [];
  return [...bound, ...lines, ...marks];
}

/** A point between two gaps becomes a short dash. */
function pathOf(segment: Segment, x: (night: number) => number, y: (value: number) => number): string {
  let path = "";
  let pen = false;
  for (const { night, value } of segment.nights) {
    if (Number.isNaN(value)) pen = false;
    else {
      path += pen
        ? `L${x(night).toFixed(1)} ${y(value).toFixed(1)}`
        : `M${x(night).toFixed(1)} ${y(value).toFixed(1)}h1`;
      pen = true;
    }
  }
  return path;
}

export function lookOf(finding: Finding): "bad" | "good" | "past" {
  if (!finding.worse) return "good";
  return finding.open ? "bad" : "past";
}

const COLOUR = { bad: "var(--failed)", good: "var(--passed)", past: "var(--warn)" };

interface Dot {
  date: Date;
  value: number;
  night: Night;
}

/** Label and factor of the unit for times up to `most` seconds. */
function scaleOf(track: Track, most: number): [string, number] {
  if (track.unit !== "seconds") return ["", 1];
  return most < 1e-6 ? [" (ns)", 1e9] : most < 1e-3 ? [" (µs)", 1e6] : most < 1 ? [" (ms)", 1e3] : [" (s)", 1];
}

export function historyPlot(tracks: Tracks, track: Track, points: Points): HTMLElement | null {
  const segments = segmentsOf(tracks, track, points);
  const values = segments.flatMap(finite);
  if (segments.length === 0) return null;
  const most = values.reduce((a, b) => Math.max(a, b), 0);
  const [unit, size] = scaleOf(track, most);
  const dotOf = (night: number, value: number): Dot => ({
    date: new Date(tracks.times[night]!),
    value: value * size,
    night: tracks.nights[night]!,
  });
  const domain: [number, number] =
    track.unit === "error_ratio" ? errorRatioDomain(values) : scaled(range(track, segments), size);
  const inside = (value: number) => Math.min(domain[1], Math.max(domain[0], value));
  const drawn = segments.map((segment) => ({
    own: segment.own,
    dots: segment.nights.map((one) => dotOf(one.night, inside(one.value * size) / size)),
  }));
  const fails = points.status.flatMap((status, night) =>
    status && isFailure(status) ? [dotOf(night, domain[0] / size)] : [],
  );
  const marks: Markish[] = [
    gridY({ ticks: track.unit === "error_ratio" ? logTicks(domain) : 5, stroke: "currentColor", strokeOpacity: 0.12 }),
    ...(track.unit === "error_ratio" ? errorRatioRules() : []),
    ...drawn.flatMap(({ own, dots }) => lineMarks(dots, own, (one) => valueText(one.value / size, track.unit))),
    ...track.findings.flatMap((finding) => findingMarks(tracks, finding, track, (value) => inside(value * size))),
    ...(track.accepted && Date.parse(track.accepted.from) ? acceptedMarks(track.accepted) : []),
    dot(fails, {
      x: "date",
      y: "value",
      symbol: "times",
      stroke: "var(--failed)",
      strokeWidth: 2,
      r: 4,
      title: (one: Dot) => `${dayOf(one.night)}: did not pass`,
    }),
  ];
  const label = `↑ ${UNIT_TITLE[track.unit]}${unit}`;
  return figure("Night by night", describe(tracks, track, segments), 280, {
    width: wide(1360),
    marginRight: 40,
    x: { type: "utc", label: null, domain: timeDomain(tracks.times), ticks: 6 },
    y:
      track.unit === "error_ratio"
        ? {
            type: "log",
            domain,
            label: `${label}, logarithmic`,
            tickFormat: (value: number) => digits(value, 1),
            ticks: logTicks(domain),
          }
        : { domain, label: `${label}, not from 0`, tickFormat: (value: number) => digits(value, 3), ticks: 5 },
    marks,
  });
}

const scaled = ([low, high]: [number, number], size: number): [number, number] => [low * size, high * size];

function errorRatioDomain(values: number[]): [number, number] {
  const positive = values.filter((value) => value > 0);
  return [
    positive.reduce((a, b) => Math.min(a, b), QUIET_ERROR_RATIO / 2) / 1.5,
    positive.reduce((a, b) => Math.max(a, b), 1) * 2,
  ];
}

/** 0.1, 0.2, 0.5, 1, ...; or 0.1, 1, ... where the axis spans more than four decades. */
function logTicks([low, high]: [number, number]): number[] {
  const decades = Math.log10(high / low);
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); ++power)
    for (const digit of decades > 4 ? [1] : [1, 2, 5]) ticks.push(Number(`${digit}e${power}`));
  return ticks.filter((tick) => tick >= low && tick <= high);
}

/** Padded by at least half a day, so that a single night has a range. */
function timeDomain(times: number[]): [Date, Date] {
  const [first, last] = [times[0]!, times[times.length - 1]!];
  const pad = Math.max((last - first) * 0.01, 12 * 3600e3);
  return [new Date(first - pad), new Date(last + pad)];
}

const errorRatioRules = (): Markish[] => [
  ruleY([1], { stroke: COLOUR.bad, strokeWidth: 1.5 }),
  ruleY([QUIET_ERROR_RATIO], { stroke: "var(--muted)", strokeDasharray: "4 3" }),
  text(
    [
      [1, "bound"],
      [QUIET_ERROR_RATIO, "no alarm below"],
    ],
    { frameAnchor: "right", y: "0", text: "1", dy: -6, fill: "var(--muted)" },
  ),
];

function lineMarks(dots: Dot[], own: boolean, wording: (one: Dot) => string): Markish[] {
  const colour = own ? "var(--accent)" : "var(--muted)";
  const seen = dots.filter((one) => !Number.isNaN(one.value));
  return [
    line(dots, { x: "date", y: "value", stroke: colour, strokeWidth: own ? 1.5 : 1 }),
    dot(seen, {
      x: "date",
      y: "value",
      r: seen.length > 120 ? 1.2 : 2,
      fill: colour,
      title: (one: Dot) => `${dayOf(one.night)}: ${wording(one)}, commit ${commitOf(one.night)}`,
    }),
  ];
}

const SPAN = 10; // nights

/** The night of a finding, and the levels before and after it. */
function findingMarks(tracks: Tracks, finding: Finding, track: Track, place: (value: number) => number): Markish[] {
  const { nights, times } = tracks;
  const date = (night: number) => new Date(times[Math.max(0, Math.min(times.length - 1, night))]!);
  const stroke = COLOUR[lookOf(finding)];
  const levels = [
    { from: date(finding.night - SPAN), to: date(finding.last_before), value: place(numberOf(finding.before)) },
    { from: date(finding.night), to: date(finding.night + SPAN), value: place(numberOf(finding.after)) },
  ].filter((one) => !Number.isNaN(one.value));
  return [
    ruleX([date(finding.night)], {
      stroke,
      strokeWidth: 1.5,
      title: () => `${dayOf(nights[finding.night]!)}: ${stepText(finding, track.unit)}`,
    }),
    ruleY(levels, { y: "value", x1: "from", x2: "to", stroke, strokeWidth: 3, strokeOpacity: 0.7 }),
  ];
}

/** The first night of an accepted change. */
const acceptedMarks = ({ from, reason }: Accepted): Markish[] => [
  ruleX([new Date(from)], { stroke: COLOUR.past, strokeWidth: 1.5, strokeDasharray: "4 3", title: () => reason }),
  text([new Date(from)], {
    x: (date: Date) => date,
    frameAnchor: "top",
    text: () => "accepted",
    dx: 4,
    dy: 2,
    textAnchor: "start",
    fill: "var(--muted)",
  }),
];

function describe(tracks: Tracks, track: Track, segments: Segment[]): string {
  const own = segments
    .filter((segment) => segment.own)
    .flatMap((segment) => segment.nights)
    .filter((one) => !Number.isNaN(one.value));
  const first = own[0];
  const last = own[own.length - 1];
  const course =
    first && last
      ? `${valueText(first.value, track.unit)} on ${dayOf(tracks.nights[first.night]!)}, ${valueText(last.value, track.unit)} on ${dayOf(tracks.nights[last.night]!)}`
      : "no value on this machine";
  const others = segments.length > (own.length > 0 ? 1 : 0) ? " Grey: another machine, build or anchor." : "";
  const found = track.findings
    .slice(0, 3)
    .map((one) => `${dayOf(tracks.nights[one.night]!)}: ${stepText(one, track.unit)}`);
  return `${plural(own.length, "night")} with a value: ${course}.${found.length > 0 ? ` ${track.findings.length > 3 ? "Newest changes" : "Changes"}: ${found.join("; ")}.` : ""}${others}`;
}
