// The history prepared for display: one track per case, with its state and the segments of its points.
import { PointReader } from "./blocks.ts";
import { defaultsOf } from "./model.ts";
import { isFailure, numberOf } from "./report.ts";
import type { Blocks, Points } from "./blocks.ts";
import type { Item, Run } from "./model.ts";
import type { Accepted, Finding, History, Measure, Night, Page, Status, Unit } from "./report.ts";

/** States of a track, the most urgent first. */
export const TRACK_STATES = [
  "alarm",
  "failing",
  "recovered",
  "accepted",
  "improved",
  "fixed",
  "new",
  "gone",
  "steady",
] as const;

export type TrackState = (typeof TRACK_STATES)[number];

export interface Track extends Item {
  status: TrackState;
  series: number; // index in the history
  measure: Measure;
  id: string;
  variant: string;
  brief: string;
  unit: Unit;
  was: Status | null; // before the last week
  is: Status | null;
  before: number; // median before the last week; NaN: there is none
  now: number;
  newest: number; // value of the newest night that has one
  findings: Finding[]; // the newest first
  accepted: Accepted | null; // an accepted change; earlier nights are ignored
  repeat: string | null; // null if it passes and has no finding
}

/** Nights whose values can be compared. Segments are not connected by a line. */
export interface Segment {
  own: boolean; // same machine, build and anchor as the newest night
  nights: { night: number; value: number }[]; // NaN: a gap
}

function stateOf(
  findings: Finding[],
  accepted: Accepted | null,
  was: Status | null,
  is: Status | null,
  hasBefore: boolean,
): TrackState {
  if (findings.some((one) => one.open && one.worse)) return "alarm";
  if (is && isFailure(is)) return "failing";
  const newest = findings[0];
  if (newest) return findings.some((one) => one.worse) ? "recovered" : "improved";
  if (accepted) return "accepted";
  if (is && was && isFailure(was)) return "fixed";
  if (is && !was && hasBefore) return "new";
  return is ? "steady" : "gone";
}

/** Relative change in the last week; null without a value before or after. */
export function weekChange(track: Track): number | null {
  const { before, now } = track;
  if (Number.isNaN(before) || Number.isNaN(now)) return null;
  return before === now ? 0 : now / before - 1;
}

const size = (track: Track): number => Math.abs(Math.log1p(weekChange(track) ?? 0));

/** It was gone before the last week. */
export const isPast = (track: Track): boolean => track.status === "gone" && track.was === null;

/** Sorts by state, then by the newest finding, then by the size of the change. */
function urgency(a: Track, b: Track): number {
  const rank = (track: Track) => (isPast(track) ? TRACK_STATES.length : TRACK_STATES.indexOf(track.status));
  const night = (track: Track) => track.findings[0]?.night ?? -1;
  return rank(a) - rank(b) || night(b) - night(a) || size(b) - size(a);
}

export class Tracks {
  readonly nights: Night[];
  readonly times: number[]; // start of each night in milliseconds
  readonly all: Track[];
  readonly byMeasure: Record<Measure, Track[]>;
  private readonly reader: PointReader;

  constructor(
    readonly history: History,
    page: Page,
    runs: Run[],
    blocks: Blocks,
  ) {
    this.nights = history.nights;
    this.times = timesOf(history.nights);
    this.reader = new PointReader(history, blocks);
    this.all = tracksOf(history, page.default_key, runs).sort(urgency);
    const measuring = (measure: Measure) => this.all.filter((track) => track.measure === measure);
    this.byMeasure = { parity: measuring("parity"), throughput: measuring("throughput") };
  }

  /** Number of cases with an open alarm, of one measure or of all. */
  alarms(measure?: Measure): number {
    return (measure ? this.byMeasure[measure] : this.all).filter((track) => track.status === "alarm").length;
  }

  /** A measure with alarms or failures comes first. */
  get measures(): Measure[] {
    const urgent = (measure: Measure) => ["alarm", "failing"].includes(this.byMeasure[measure][0]!.status);
    const all = (["parity", "throughput"] as const).filter((measure) => this.byMeasure[measure].length > 0);
    return all.sort((a, b) => Number(urgent(b)) - Number(urgent(a)));
  }
  find(measure: Measure | null, id: string): Track | undefined {
    return this.all.find((track) => track.id === id && (measure === null || track.measure === measure));
  }
  points(track: Track): Promise<Points> {
    return this.reader.read(track.series);
  }
}

/** Derived from the key, for a case that no run of this page has. */
function ofKey(
  key: string,
  variant: string,
  defaults: Record<string, string>,
): Pick<Track, "values" | "brief" | "text"> {
  const values = defaultsOf(key);
  const special = Object.entries(values).filter(([name, value]) => defaults[name] !== value);
  if (variant) values["variant"] = variant;
  return { values, brief: special.map(([name, value]) => `${name}=${value}`).join(" "), text: `${key} ${variant}` };
}

function tracksOf(history: History, defaultKey: string, runs: Run[]): Track[] {
  const { series } = history;
  const defaults = defaultsOf(defaultKey);
  const found = new Map<number, Finding[]>();
  for (const one of [...history.findings].sort((a, b) => b.night - a.night))
    found.set(one.series, [...(found.get(one.series) ?? []), one]);
  const rows = new Map(runs.flatMap((run) => run.rows.map((row) => [row.measure + row.case.id, row] as const)));
  return series.id.map((id, i) => {
    const [measure, key, variant] = [series.measure[i]!, series.key[i]!, series.variant[i]!];
    const { values, brief, text } = rows.get(measure + id) ?? ofKey(key, variant, defaults);
    const findings = found.get(i) ?? [];
    const accepted = history.accepted[series.accepted[i] ?? -1] ?? null;
    const [was, is] = [series.status_before[i] ?? null, series.status_now[i] ?? null];
    const status = stateOf(findings, accepted, was, is, history.week.before !== null);
    return {
      status,
      series: i,
      measure,
      id,
      variant,
      brief,
      unit: series.unit[i]!,
      was,
      is,
      before: numberOf(series.value_before[i]!),
      now: numberOf(series.value_now[i]!),
      newest: numberOf(series.value_newest[i]!),
      findings,
      accepted,
      repeat: series.repeat[i] ?? null,
      values,
      text: `${id} ${text} ${status} ${accepted ? `${accepted.reason} ${accepted.commit}` : ""}`.toLowerCase(),
    };
  });
}

/** A night with an invalid date, such as 31 February, takes the time of the night before. */
function timesOf(nights: Night[]): number[] {
  const times: number[] = [];
  for (const { started } of nights) times.push(Date.parse(started) || (times[times.length - 1] ?? 0));
  return times;
}

/** Whether nights are missing between night `i` and the one before. */
const isGap = (times: number[], usual: number, i: number): boolean => times[i]! - times[i - 1]! > 1.9 * usual;

function usualStep(times: number[]): number {
  const steps = times.slice(1).map((time, i) => time - times[i]!);
  return steps.sort((a, b) => a - b)[steps.length >> 1] ?? Infinity;
}

/** One segment per machine, build and anchor. Missing nights become gaps. */
export function segmentsOf(tracks: Tracks, track: Track, points: Points): Segment[] {
  const { nights, times } = tracks;
  const sameAnchor = track.unit === "ratio";
  const kind = (night: Night) => night.fingerprint + (sameAnchor ? ` ${night.anchor}` : "");
  const newest = points.status.reduce((last, status, i) => (status ? i : last), -1);
  const usual = usualStep(times);
  const segments = new Map<string, Segment>();
  for (let i = 0; i < nights.length; ++i) {
    const value = track.unit === "ratio" ? points.value[i]! / (points.anchor?.[i] ?? NaN) : points.value[i]!;
    const own = newest >= 0 && kind(nights[i]!) === kind(nights[newest]!);
    let segment = segments.get(kind(nights[i]!));
    if (!segment) segments.set(kind(nights[i]!), (segment = { own, nights: [] }));
    const last = segment.nights[segment.nights.length - 1];
    // Nights of another segment or missing nights lie between: break the line.
    if (last && (last.night !== i - 1 || isGap(times, usual, i)))
      segment.nights.push({ night: last.night, value: NaN });
    segment.nights.push({ night: i, value });
  }
  return [...segments.values()].filter((segment) => segment.nights.some((one) => !Number.isNaN(one.value)));
}
