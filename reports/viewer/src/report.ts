// The data that report.html carries: the run's JSON reports, a comparison, a history. Types of reports and comparison come
// from their JSON Schemas; those of the history are declared here as reports/history/history_page.h writes them.
// Field meanings: docs/report-files.md, docs/comparing.md, docs/history.md.
import type { comparison, parity, throughput } from "./schema_types.ts";

/** JSON has no NaN and no infinities: the reports write them as strings. */
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

/** The common members of A and B, and the other members as optional ones. */
type Either<A, B> = Pick<A | B, keyof A & keyof B> & Partial<Omit<A, keyof B>> & Partial<Omit<B, keyof A>>;

export type Case = Either<parity.Case, throughput.Case>;
export type Document = Omit<Either<parity.Document, throughput.Document>, "cases"> & { cases: Case[] };

/** The members of a case with samples. */
export type Timing = Required<Omit<throughput.Case, keyof parity.Case>>;

export type Comparison = comparison.Document;
export type ComparedRun = comparison.Run;
export type ParityChange = comparison.Parity;
export type ThroughputChange = comparison.Throughput;

export interface Night {
  run: string;
  matrix: string;
  started: string;
  revision: string; // empty if unknown
  dirty: boolean;
  fingerprint: string;
  anchor: string; // empty if there was none
  complete: boolean;
  exit_code: number | null;
}

/** Unit in which the values of a series are compared. "ratio": time relative to the anchor's. */
export type Unit = "seconds" | "ratio" | "error_ratio";

export interface Finding {
  series: number;
  night: number; // first night of the new level
  last_before: number; // last night of the level before
  sudden_rise: boolean;
  change_point: boolean;
  before: Num;
  after: Num;
  p: number | null;
  back: number | null; // first night that is not worse any more
  worse: boolean;
  open: boolean;
}

export interface Accepted {
  from: string; // "2026-11-24"
  reason: string;
  commit: string;
}

/** Series are stored as columns, their points in the page's blocks: reports/history/history_page.h. */
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
    accepted: (number | null)[]; // index into `accepted` below
    repeat: (string | null)[]; // for failing series and those with findings
  };
  findings: Finding[];
  accepted: Accepted[];
  judged: number; // cases with enough nights for a rule
  too_short: number; // cases with too few nights
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
