// The charts, made with Observable Plot as SVG: they print, use the page's colours and have a text alternative.
import { dot, gridX, gridY, line, plot, rect, ruleX, ruleY, text } from "@observablehq/plot";
import { h } from "./dom.ts";
import { numberOf } from "./report.ts";
import { change, digits, exact, percent, rate, seconds } from "./units.ts";
import type { Markish } from "@observablehq/plot";
import type { Row } from "./model.ts";
import type { Case, ThroughputChange, Timing } from "./report.ts";

const ACCENT = "var(--accent)";

const MUTED = "var(--muted)";

const BAD = "var(--failed)";

/** Limits a width to the window's, because a shrunk chart is illegible. */
export const wide = (width: number): number =>
  Math.max(300, Math.min(width, document.documentElement.clientWidth - 80));

/** `alternative`: the content of the chart in words. */
export function figure(
  title: string,
  alternative: string,
  height: number,
  options: Parameters<typeof plot>[0],
): HTMLElement {
  const picture = plot({
    width: wide(640),
    height,
    marginLeft: 64,
    marginBottom: 36,
    style: "background: transparent; font-size: 11px",
    ...options,
  });
  // The chart has one text alternative; labels of its parts would only disturb a screen reader.
  for (const part of picture.querySelectorAll("[aria-label]")) part.removeAttribute("aria-label");
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", `${title}. ${alternative}`);
  return h(
    "figure",
    {},
    h("figcaption", {}, h("strong", {}, title), h("span", { class: "muted" }, ` ${alternative}`)),
    picture,
  );
}

/** The samples in order, the median with its interval, and the floor. */
export function samplesPlot(timing: Timing): HTMLElement {
  const most = timing.samples_s.reduce((a, b) => Math.max(a, b));
  const [unit, size]: [string, number] = most < 1e-3 ? ["µs", 1e6] : most < 1 ? ["ms", 1e3] : ["s", 1];
  const samples = timing.samples_s.map((value, i) => ({ iteration: i + 1, time: value * size }));
  const [low, high] = timing.median_interval_s;
  const last = samples.length;
  // Outliers would press the other samples against the axis of a linear scale.
  const least = Math.min(timing.floor_s, ...timing.samples_s);
  const wide = least > 0 && most / least > 8;
  const marks: Markish[] = [
    gridY({ stroke: "currentColor", strokeOpacity: 0.12 }),
    rect([0], { x1: 0.5, x2: last + 0.5, y1: low * size, y2: high * size, fill: ACCENT, fillOpacity: 0.2 }),
    ruleY([timing.median_s * size], { stroke: ACCENT, strokeWidth: 1.5 }),
    ruleY([timing.floor_s * size], { stroke: MUTED, strokeDasharray: "4 3" }),
    text([timing.floor_s * size], {
      frameAnchor: "right",
      y: (value: number) => value,
      text: ["floor"],
      dx: 32,
      fill: MUTED,
    }),
    dot(samples, {
      x: "iteration",
      y: "time",
      r: 2.5,
      fill: ACCENT,
      title: (one) => `iteration ${one.iteration}: ${digits(one.time)} ${unit}`,
    }),
  ];
  const alternative = `${last} samples; median ${seconds(timing.median_s)} (95 %: ${seconds(low)} to ${seconds(high)}), 5th to 95th percentile ${seconds(timing.p05_s)} to ${seconds(timing.p95_s)}; floor ${seconds(timing.floor_s)}.`;
  return figure("Time of each iteration", alternative, 240, {
    x: { label: "iteration", domain: [0.5, last + 0.5], ticks: Math.min(last, 10) },
    y: wide
      ? {
          label: `↑ time (${unit}), logarithmic`,
          type: "log",
          domain: [least * size * 0.8, most * size * 1.2],
          tickFormat: (value: number) => digits(value, 2),
          ticks: 5,
        }
      : { label: `↑ time (${unit})`, domain: [0, most * size * 1.08] },
    marginRight: 44,
    marks,
  });
}

/** The error ratio of each output, and that of naive arithmetic, against the bound. */
export function errorRatiosPlot(one: Case): HTMLElement | null {
  const points = one.outputs.flatMap((output) => {
    const own = { name: output.name, error_ratio: numberOf(output.error_ratio), kind: "own" };
    return output.naive
      ? [own, { name: output.name, error_ratio: numberOf(output.naive.error_ratio), kind: "naive" }]
      : [own];
  });
  const seen = points.filter((point) => point.error_ratio > 0 && Number.isFinite(point.error_ratio));
  if (seen.length === 0) return null;
  const values = [...seen.map((point) => point.error_ratio), 1];
  const ends = [values.reduce((a, b) => Math.min(a, b)) / 2, values.reduce((a, b) => Math.max(a, b)) * 2];
  const names = one.outputs.map((output) => output.name);
  const own = seen.filter((point) => point.kind === "own");
  return figure(
    "Error ratio of each output",
    "Filled: this provider; hollow: naive arithmetic in the storage type; line: the bound.",
    60 + 24 * names.length,
    {
      marginLeft: 96,
      x: { type: "log", domain: ends, label: "error ratio →", tickFormat: (value: number) => digits(value, 1) },
      y: { type: "point", domain: names, label: null },
      marks: [
        gridX({ stroke: "currentColor", strokeOpacity: 0.12 }),
        ruleX([1], { stroke: BAD, strokeWidth: 1.5 }),
        dot(
          seen.filter((point) => point.kind === "naive"),
          {
            x: "error_ratio",
            y: "name",
            r: 4,
            stroke: MUTED,
            title: (point) => `naive ${point.name}: ${digits(point.error_ratio)}`,
          },
        ),
        dot(own, {
          x: "error_ratio",
          y: "name",
          r: 5,
          fill: (point) => (point.error_ratio <= 1 ? ACCENT : BAD),
          title: (point) => `${point.name}: ${digits(point.error_ratio)}`,
        }),
      ],
    },
  );
}

/** The same case at all TP sizes: throughput with ideal scaling, or error ratios. */
export function scalingPlot(rows: Row[]): HTMLElement | null {
  const measured = rows.filter((row) => row.timing);
  if (measured.length > 1) return throughputScaling(measured);
  const compared = rows.filter(
    (row) => row.error_ratio !== null && Number.isFinite(row.error_ratio) && row.error_ratio > 0,
  );
  if (compared.length < 2) return null;
  const points = compared.map((row) => ({ tp: row.values["tp"]!, error_ratio: row.error_ratio! }));
  const largest = Math.max(...points.map((point) => point.error_ratio));
  const smallest = Math.min(...points.map((point) => point.error_ratio));
  const alternative = points.map((point) => `TP ${point.tp}: ${digits(point.error_ratio)}`).join(", ");
  return figure("The same case at other TP sizes", `Worst error ratio; ${alternative}.`, 200, {
    x: { type: "point", domain: points.map((point) => point.tp), label: "TP →" },
    y:
      largest > 2
        ? {
            label: "↑ worst error ratio, logarithmic",
            type: "log",
            domain: [Math.min(0.5, smallest / 2), largest * 2],
            tickFormat: (value: number) => digits(value, 1),
          }
        : { label: "↑ worst error ratio", domain: [0, Math.max(1.1, largest * 1.05)] },
    marks: [
      gridY({ stroke: "currentColor", strokeOpacity: 0.12 }),
      ruleY([1], { stroke: BAD }),
      line(points, { x: "tp", y: "error_ratio", stroke: ACCENT }),
      dot(points, {
        x: "tp",
        y: "error_ratio",
        r: 4,
        fill: ACCENT,
        title: (point) => `TP ${point.tp}: ${exact(point.error_ratio)}`,
      }),
    ],
  });
}

function throughputScaling(rows: Row[]): HTMLElement {
  const points = rows.map((row) => ({
    tp: Number(row.values["tp"]),
    rate: row.timing!.tokens_per_s / 1e3,
    over: row.timing!.oversubscribed,
  }));
  const first = points[0]!;
  const ideal = points.map((point) => ({ tp: point.tp, rate: (first.rate * point.tp) / first.tp }));
  const reached = points.map(
    (point, i) =>
      `TP ${point.tp}: ${rate(point.rate * 1e3, "tok/s")}, ${percent(point.rate / ideal[i]!.rate)} of ideal${point.over ? ", oversubscribed" : ""}`,
  );
  return figure(
    "The same case at other TP sizes",
    `${reached.join("; ")}. Dashed: ideal; hollow: more ranks than cores.`,
    240,
    {
      x: { type: "log", base: 2, label: "TP →", ticks: points.map((point) => point.tp), tickFormat: String },
      y: { label: "↑ thousand tokens per second", zero: true, nice: true },
      marks: [
        gridY({ stroke: "currentColor", strokeOpacity: 0.12 }),
        line(ideal, { x: "tp", y: "rate", stroke: MUTED, strokeDasharray: "4 3" }),
        line(points, { x: "tp", y: "rate", stroke: ACCENT }),
        dot(points, {
          x: "tp",
          y: "rate",
          r: 4,
          stroke: ACCENT,
          fill: (point) => (point.over ? "var(--panel)" : ACCENT),
          title: (point) => `TP ${point.tp}: ${rate(point.rate * 1e3, "tok/s")}`,
        }),
      ],
    },
  );
}

const PLOTTED = 40;

/** The first changes with their intervals. Changes within `threshold` count as no change. */
export function changesPlot(all: ThroughputChange[], threshold: number): HTMLElement | null {
  const points = all
    .flatMap(({ id, variant, verdict, change: found }) => {
      if (!found) return [];
      const [low, high] = found.interval.map((value) => 100 * numberOf(value)) as [number, number];
      const point = { name: `${variant} ${id}`, ratio: 100 * numberOf(found.ratio), low, high, verdict };
      return [low, high, point.ratio].every(Number.isFinite) ? [point] : [];
    })
    .slice(0, PLOTTED);
  if (points.length === 0) return null;
  const colour = (point: { verdict: string }) =>
    point.verdict === "regressed" ? BAD : point.verdict === "improved" ? "var(--passed)" : ACCENT;
  const band = 100 * threshold;
  return figure(
    "Change of each case",
    `The first ${points.length}, with intervals; shaded: within the threshold.`,
    60 + 18 * points.length,
    {
      marginLeft: 210,
      x: { label: "slower, % →", tickFormat: (value: number) => digits(value, 2) },
      y: { type: "band", domain: points.map((point) => point.name), label: null },
      marks: [
        rect([0], { x1: -band, x2: band, fill: ACCENT, fillOpacity: 0.1 }),
        gridX({ stroke: "currentColor", strokeOpacity: 0.12 }),
        ruleX([0], { stroke: MUTED }),
        ruleY(points, { y: "name", x1: "low", x2: "high", stroke: colour, strokeWidth: 1.5 }),
        dot(points, {
          x: "ratio",
          y: "name",
          r: 3.5,
          fill: colour,
          title: (point) =>
            `${point.name}: ${change(point.ratio / 100)} (${change(point.low / 100)} to ${change(point.high / 100)})`,
        }),
      ],
    },
  );
}
