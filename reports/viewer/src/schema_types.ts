// Generated from reports/schemas by schema_types.mjs: do not edit.

export namespace parity {
  export type Time = string;
  export type Count = number;
  export type LaunchS = number;
  export type SmallCount = number;
  export type CaseId = string;
  export type OutputName = "logprob" | "entropy" | "lse" | "loss" | "grad_logits" | "loss_mean" | "entropy_mean";
  export type Magnitude = number | "Infinity";
  export type Number = number | ("NaN" | "Infinity" | "-Infinity");

  /**
   * Whether each case of a run agreed with the reference. Field meanings: docs/report-files.md.
   */
  export interface Document {
    schema: "vparity.parity/1";
    run: Run;
    provenance: Provenance;
    hosts: Host[];
    fingerprint: string;
    summary: Summary;
    cases: Case[];
    known_failures?: KnownFailure[];
  }
  export interface Run {
    id: string;
    matrix: string;
    started: Time;
    finished: Time;
    /**
     * @minItems 1
     */
    argv: [string, ...string[]];
    seed: number;
    shard: {
      index: number;
      count: number;
      total?: number;
      positions?: Count[];
      plan?: string;
    };
    complete: boolean;
    launch_s?: LaunchS;
    exit_code?: SmallCount;
  }
  export interface Provenance {
    version: string;
    git: {
      revision: string | null;
      dirty: boolean | null;
    };
    build: {
      type: string;
      compiler: string;
      flags: string;
    };
    libraries: {
      [k: string]: string;
    };
    simd: string | null;
  }
  export interface Host {
    name: string;
    cpu: string;
    cores: number;
    memory_bytes: Count;
    gpus: Gpu[];
    environment: {
      [k: string]: string;
    };
  }
  export interface Gpu {
    name: string;
    uuid: string;
    memory_bytes: Count;
    clocks: {
      [k: string]: number;
    };
  }
  export interface Summary {
    planned: Count;
    passed: Count;
    failed: Count;
    untrusted: Count;
    error: Count;
    timeout: Count;
    crashed: Count;
    skipped: Count;
    not_run: Count;
    dropped: Count;
    known_failures?: Count;
    worst: null | {
      case: CaseId;
      output: OutputName;
      error_ratio: Magnitude;
    };
  }
  export interface Case {
    id: CaseId;
    key: string;
    params: {
      [k: string]: string | number | boolean | null | string[];
    };
    status: "passed" | "failed" | "untrusted" | "error" | "timeout" | "crashed" | "skipped" | "not_run";
    reason: null | Reason;
    phase: "plan" | "launch" | "inputs" | "forward" | "backward" | "reference" | "compare" | "relations" | "done";
    attempts: SmallCount;
    wall_s: number;
    repeat: string;
    known_failure?: string;
    outputs: Output[];
    occurrence: {
      [k: string]: number;
    };
    invariants: Invariant[];
    rank_agreement: boolean;
    inputs_unchanged: boolean;
    phases_s?: {
      [k: string]: number;
    };
  }
  export interface Reason {
    code: string;
    text: string;
  }
  export interface Output {
    name: OutputName;
    elements: Count;
    checked: Count;
    mismatches: Count;
    nonfinite: Count;
    max_abs: Magnitude;
    max_rel: Magnitude;
    max_ulp: Magnitude;
    rms: Magnitude;
    error_ratio: Magnitude;
    nontrivial?: Count;
    naive?: {
      max_abs: Magnitude;
      error_ratio: Magnitude;
    };
    bound: {
      k: number;
      C: number;
    };
    worst: null | {
      row: Count;
      column: Count;
      rank: SmallCount;
      expected: Number;
      actual: Number;
    };
  }
  export interface Invariant {
    name: string;
    ok: boolean;
    value: Number;
    bound: Number;
  }
  export interface KnownFailure {
    match: string;
    reason: string;
    owner: string;
    issue: string;
    expiry: string;
    cases: Count;
    state: "unused" | "known" | "expired" | "unexpected_pass";
  }
}

export namespace throughput {
  export type Time = string;
  export type Count = number;
  export type LaunchS = number;
  export type SmallCount = number;
  export type CaseId = string;
  export type OutputName = "logprob" | "entropy" | "lse" | "loss" | "grad_logits" | "loss_mean" | "entropy_mean";
  export type Magnitude = number | "Infinity";
  export type Number = number | ("NaN" | "Infinity" | "-Infinity");
  export type Nonnegative = number;

  /**
   * How fast each case of a run was. Field meanings: docs/report-files.md.
   */
  export interface Document {
    schema: "vparity.throughput/1";
    run: Run;
    provenance: Provenance;
    hosts: Host[];
    fingerprint: string;
    summary: Summary;
    cases: Case[];
    known_failures?: KnownFailure[];
    machine: null | {
      ranks: number;
      read_gbps: Nonnegative;
      copy_gbps: Nonnegative;
    };
  }
  export interface Run {
    id: string;
    matrix: string;
    started: Time;
    finished: Time;
    /**
     * @minItems 1
     */
    argv: [string, ...string[]];
    seed: number;
    shard: {
      index: number;
      count: number;
      total?: number;
      positions?: Count[];
      plan?: string;
    };
    complete: boolean;
    launch_s?: LaunchS;
    exit_code?: SmallCount;
  }
  export interface Provenance {
    version: string;
    git: {
      revision: string | null;
      dirty: boolean | null;
    };
    build: {
      type: string;
      compiler: string;
      flags: string;
    };
    libraries: {
      [k: string]: string;
    };
    simd: string | null;
  }
  export interface Host {
    name: string;
    cpu: string;
    cores: number;
    memory_bytes: Count;
    gpus: Gpu[];
    environment: {
      [k: string]: string;
    };
  }
  export interface Gpu {
    name: string;
    uuid: string;
    memory_bytes: Count;
    clocks: {
      [k: string]: number;
    };
  }
  export interface Summary {
    planned: Count;
    passed: Count;
    failed: Count;
    untrusted: Count;
    error: Count;
    timeout: Count;
    crashed: Count;
    skipped: Count;
    not_run: Count;
    dropped: Count;
    known_failures?: Count;
    worst: null | {
      case: CaseId;
      output: OutputName;
      error_ratio: Magnitude;
    };
  }
  export interface Case {
    id: CaseId;
    key: string;
    params: {
      [k: string]: string | number | boolean | null | string[];
    };
    status: "passed" | "failed" | "untrusted" | "error" | "timeout" | "crashed" | "skipped" | "not_run";
    reason: null | Reason;
    phase: "plan" | "launch" | "inputs" | "warmup" | "timing" | "done";
    attempts: SmallCount;
    wall_s: number;
    repeat: string;
    known_failure?: string;
    outputs: Output[];
    op: "forward" | "backward" | "forward_backward";
    variant?: string;
    samples_s: Nonnegative[];
    warmup?: Count;
    iterations?: Count;
    median_s?: Nonnegative;
    /**
     * @minItems 2
     */
    median_interval_s?: [Nonnegative, Nonnegative, ...Nonnegative[]];
    p05_s?: Nonnegative;
    p95_s?: Nonnegative;
    rank_skew_s?: Nonnegative;
    tokens_per_s?: Nonnegative;
    read_gbps?: Nonnegative;
    copy_gbps?: Nonnegative;
    bytes_per_rank?: Count;
    gb_per_s?: Nonnegative;
    floor_s?: Nonnegative;
    share_of_floor?: Nonnegative;
    own_floor_s?: Nonnegative;
    collectives?: Count;
    bytes_per_token?: Nonnegative;
    extra_memory_bytes?: Count;
    speedup?: Ratios;
    predicted_speedup?: Ratios;
    oversubscribed?: boolean;
    cache_resident?: boolean;
  }
  export interface Reason {
    code: string;
    text: string;
  }
  export interface Output {
    name: OutputName;
    elements: Count;
    checked: Count;
    mismatches: Count;
    nonfinite: Count;
    max_abs: Magnitude;
    max_rel: Magnitude;
    max_ulp: Magnitude;
    rms: Magnitude;
    error_ratio: Magnitude;
    nontrivial?: Count;
    naive?: {
      max_abs: Magnitude;
      error_ratio: Magnitude;
    };
    bound: {
      k: number;
      C: number;
    };
    worst: null | {
      row: Count;
      column: Count;
      rank: SmallCount;
      expected: Number;
      actual: Number;
    };
  }
  export interface Ratios {
    [k: string]: Nonnegative;
  }
  export interface KnownFailure {
    match: string;
    reason: string;
    owner: string;
    issue: string;
    expiry: string;
    cases: Count;
    state: "unused" | "known" | "expired" | "unexpected_pass";
  }
}

export namespace comparison {
  export type Probability = number;
  export type Nonnegative = number;
  /**
   * @minItems 1
   */
  export type Runs = [Run, ...Run[]];
  export type Count = number;
  export type CaseId = string;
  export type Status = "passed" | "failed" | "untrusted" | "error" | "timeout" | "crashed" | "skipped" | "not_run";
  export type Magnitude = number | "Infinity";
  export type Ratio = number | "Infinity";
  export type Times = Nonnegative[];

  /**
   * What changed between the runs of two sides. Field meanings: docs/comparing.md.
   */
  export interface Document {
    schema: "vparity.comparison/1";
    criteria: Criteria;
    base: Runs;
    head: Runs;
    notes: string[];
    summary: Summary;
    parity: Parity[];
    throughput: Throughput[];
  }
  export interface Criteria {
    confidence: Probability;
    threshold: Nonnegative;
    looks: number;
    across_builds: boolean;
  }
  export interface Run {
    path: string;
    id: string;
    matrix: string;
    started: string;
    seed: number;
    complete: boolean;
    version: string;
    git: {
      revision: string | null;
      dirty: boolean | null;
    };
    fingerprint: string;
  }
  export interface Summary {
    parity: {
      compared: Count;
      failing_in_both: Count;
      regressed: Count;
      fixed: Count;
      changed: Count;
      error_ratio_grew: Count;
      new: Count;
      missing: Count;
    };
    throughput: {
      regressed: Count;
      improved: Count;
      equivalent: Count;
      inconclusive: Count;
      not_comparable: Count;
      new: Count;
      missing: Count;
    };
    exit_code: 0 | 1 | 5;
  }
  export interface Parity {
    id: CaseId;
    key: string;
    params: Params;
    change: "regressed" | "fixed" | "changed" | "error_ratio_grew" | "new" | "missing";
    base: null | Status;
    head: null | Status;
    error_ratios: ErrorRatio[];
    repeat: string;
  }
  export interface Params {
    [k: string]: string | number | boolean | null | string[];
  }
  export interface ErrorRatio {
    output: string;
    base: null | Magnitude;
    head: Magnitude;
  }
  export interface Throughput {
    id: CaseId;
    key: string;
    params: Params;
    variant: string;
    verdict: "regressed" | "improved" | "equivalent" | "inconclusive" | "not_comparable" | "new" | "missing";
    reason: null | Reason;
    observed: null | Ratio;
    change: null | Change;
    base_s: Times;
    head_s: Times;
    repeat: string;
  }
  export interface Reason {
    code: string;
    text: string;
  }
  export interface Change {
    pairs: number;
    ratio: Ratio;
    /**
     * @minItems 2
     */
    interval: [Ratio, Ratio, ...Ratio[]];
    p_changed: Probability;
    p_equivalent: Probability;
    detectable: Magnitude;
  }
}
