// What report.html carries: the run's JSON reports as they are, and the key of a case whose axes are all at their default.
// Field meanings: docs/report-files.md.

/** JSON has no NaN and no infinities: these are strings. */
export type Num = number | "NaN" | "Infinity" | "-Infinity";

export const numberOf = (value: Num): number => (typeof value === "number" ? value : Number(value));

export const STATUSES = ["failed", "untrusted", "crashed", "timeout", "error", "not_run", "skipped", "passed"] as const;

export type Status = (typeof STATUSES)[number];

export type Measure = "parity" | "throughput";

export interface Output {
  name: string;
  elements: number;
  checked: number;
  mismatches: number;
  nonfinite: number;
  max_abs: Num;
  max_rel: Num;
  max_ulp: Num;
  rms: Num;
  error_ratio: Num;
  nontrivial?: number;
  naive?: { max_abs: Num; error_ratio: Num };
  bound: { k: number; C: number };
  worst: { row: number; column: number; rank: number; expected: Num; actual: Num } | null;
}

export interface Timing {
  op: string;
  variant: string;
  samples_s: number[];
  warmup: number;
  median_s: number;
  median_interval_s: [number, number];
  p05_s: number;
  p95_s: number;
  rank_skew_s: number;
  tokens_per_s: number;
  read_gbps: number;
  copy_gbps: number;
  bytes_per_rank: number;
  gb_per_s: number;
  floor_s: number;
  share_of_floor: number;
  own_floor_s: number;
  collectives: number;
  bytes_per_token: number;
  extra_memory_bytes: number;
  speedup: Record<string, number>;
  predicted_speedup: Record<string, number>;
  oversubscribed: boolean;
  cache_resident: boolean;
}

export type Value = string | number | boolean | null | string[];

export interface Case extends Partial<Timing> {
  id: string;
  key: string;
  params: Record<string, Value>;
  status: Status;
  reason: { code: string; text: string } | null;
  phase: string;
  attempts: number;
  wall_s: number;
  repeat: string;
  known_failure?: string;
  outputs: Output[];
  phases_s?: Record<string, number>;
  occurrence?: Record<string, number>;
  invariants?: { name: string; ok: boolean; value: Num; bound: Num }[];
  rank_agreement?: boolean;
  inputs_unchanged?: boolean;
}

export interface Host {
  name: string;
  cpu: string;
  cores: number;
  memory_bytes: number;
  gpus: { name: string; memory_bytes: number }[];
  environment: Record<string, string>;
}

export interface KnownFailure {
  match: string;
  reason: string;
  owner: string;
  issue: string;
  expiry: string;
  cases: number;
  state: string;
}

export interface Document {
  run: {
    id: string;
    matrix: string;
    started: string;
    finished: string;
    argv: string[];
    seed: number;
    shard: { index: number; count: number };
    complete: boolean;
    exit_code?: number;
  };
  provenance: {
    version: string;
    git: { revision: string | null; dirty: boolean | null };
    build: { type: string; compiler: string; flags: string };
    libraries: Record<string, string>;
    simd: string | null;
  };
  hosts: Host[];
  fingerprint: string;
  summary: { dropped: number };
  cases: Case[];
  known_failures?: KnownFailure[];
  machine?: { ranks: number; read_gbps: number; copy_gbps: number } | null;
}

export interface ComparedRun {
  path: string;
  started: string;
  git: { revision: string | null; dirty: boolean | null };
  fingerprint: string;
}

export interface ParityChange {
  id: string;
  key: string;
  change: string;
  base: Status | null;
  head: Status | null;
  error_ratios: { output: string; base: Num | null; head: Num }[]; // the worst first
  repeat: string;
}

export interface ThroughputChange {
  id: string;
  key: string;
  variant: string;
  verdict: string;
  reason: { code: string; text: string } | null;
  observed: Num | null;
  change: { pairs: number; ratio: Num; interval: [Num, Num]; detectable: Num } | null;
  base_s: number[]; // a median per process
  head_s: number[];
  repeat: string;
}

/** "vparity.comparison/1": docs/comparing.md. */
export interface Comparison {
  criteria: { confidence: number; threshold: number; looks: number };
  base: ComparedRun[];
  head: ComparedRun[];
  notes: string[];
  summary: { parity: Record<string, number>; throughput: Record<string, number>; exit_code: number };
  parity: ParityChange[];
  throughput: ThroughputChange[];
}

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

/** `measured`: samples were taken. */
export const timingOf = (one: Case): Timing | null =>
  one.samples_s && one.samples_s.length > 0 ? (one as unknown as Timing) : null;

export const isFailure = (status: Status): boolean => status !== "passed" && status !== "skipped";
