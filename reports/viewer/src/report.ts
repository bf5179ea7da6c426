// The data that report.html carries: the run's JSON reports, a comparison, a history. Types of reports and comparison come
// from their JSON Schemas; those of the history are declared here as reports/history/history_page.h writes them.
// Field meanings: docs/report-files.md, docs/comparing.md, docs/history.md.
import type { comparison, parity, throughput } from "./schema_types.ts";

/** JSON has no NaN and no infinities: these are strings. */
export type Num = parity.Number;
export const numberOf = (value: Num): number => (typeof value === "number" ? value : Number(value));

export type Measure = "parity" | "throughput";
export type Status = parity.Case["status"];
export type Output = parity.Output;
export type Host = parity.Host;
export type KnownFailure = parity.KnownFailure;
export type Value = parity.Case["params"][string];

/** In the order in which the page lists them. */
export const STATUSES = [
  "failed",
  "untrusted",
  "crashed",
  "timeout",
  "error",
  "not_run",
  "skipped",
  "passed",
] as const satisfies readonly Status[];

/** The members of both, and as optional members those of one alone. */
type Either<A, B> = Pick<A | B, keyof A & keyof B> & Partial<Omit<A, keyof B>> & Partial<Omit<B, keyof A>>;

export type Case = Either<parity.Case, throughput.Case>;
export type Document = Omit<Either<parity.Document, throughput.Document>, "cases"> & { cases: Case[] };

/** What a case has once samples were taken. */
export type Timing = Required<Omit<throughput.Case, keyof parity.Case>>;

export type Comparison = comparison.Document;
export type ComparedRun = comparison.Run;
export type ParityChange = comparison.Parity;
export type ThroughputChange = comparison.Throughput;

export interface Night {
  run: string;
  matrix: string;
  started: string;
  revision: string; // empty: unknown
  dirty: boolean;
  fingerprint: string;
  anchor: string; // empty: none
  complete: boolean;
  exit_code: number | null;
}

/** What a value of a series is once it can be held against others: seconds, seconds by those of the anchor, or an error ratio. */
export type Unit = "seconds" | "ratio" | "error_ratio";

export interface Finding {
  series: number;
  night: number; // the first of the new level
  last_before: number; // the last of the level before
  sudden_rise: boolean;
  change_point: boolean;
  before: Num;
  after: Num;
  p: number | null;
  back: number | null; // the first night that is no worse any more
  worse: boolean;
  open: boolean;
}

export interface Accepted {
  from: string; // "2026-11-24"
  reason: string;
  commit: string;
}

/** Series are columns here, and their points in the page's blocks: reports/history/history_page.h. */
export interface History {
  first_block: number;
  series_per_block: number;
  statuses: Status[];
  week: { first: number; before: number | null; now: number | null };
  nights: Night[];
  series: {
    measure: Measure[];
    id: string[];
    key: string[];
    variant: string[];
    unit: Unit[];
    status_before: (Status | null)[];
    status_now: (Status | null)[];
    value_before: Num[];
    value_now: Num[];
    value_newest: Num[];
    accepted: (number | null)[]; // of the list below
    repeat: (string | null)[]; // of those that fail or where something was found
  };
  findings: Finding[];
  accepted: Accepted[];
  judged: number; // cases with nights enough for a rule
  too_short: number; // cases with fewer
  notes: string[];
}

export interface Page {
  default_key: string;
  comparison?: Comparison;
  history?: History;
  runs: { name: string; parity?: Document; throughput?: Document }[];
}

/** Null where no samples were taken. */
export const timingOf = (one: Case): Timing | null =>
  one.samples_s && one.samples_s.length > 0 ? (one as unknown as Timing) : null;

export const isFailure = (status: Status): boolean => status !== "passed" && status !== "skipped";
