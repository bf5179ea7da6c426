// The reports prepared for display: one row per case, the axes that vary, the worst output.
import { isFailure, numberOf, timingOf } from "./report.ts";
import type { Case, Comparison, Document, Measure, Output, Page, Timing, Value } from "./report.ts";

/** What the filters need of a case, a change or a track. */
export interface Item {
  status: string;
  values: Record<string, string>; // by axis
  text: string; // searched by the text filter
}

export interface Row extends Item {
  measure: Measure;
  case: Case; // `status` of the row is "known" instead if the failure is a known one
  special: string[]; // axes that differ from their default
  brief: string; // the same, without axes that all cases of the run share
  worst: Output | null; // the output with the largest error ratio
  error_ratio: number | null;
  timing: Timing | null;
  change: number | null; // relative change of its time against the base of a comparison
  fails: boolean; // it ran and failed, and the failure is not a known one
}

export interface Axis {
  name: string;
  values: string[]; // more than one
}

export interface Run {
  name: string;
  side: "base" | "head" | null; // side in the page's comparison
  head: Document;
  documents: Partial<Record<Measure, Document>>;
  rows: Row[]; // failures first
  byMeasure: Record<Measure, Row[]>;
}

export const shown = (value: Value): string => (Array.isArray(value) ? value.join("+") : String(value));

export function defaultsOf(key: string): Record<string, string> {
  const pairs = key.split(",").filter(Boolean);
  return Object.fromEntries(pairs.map((pair) => pair.split("=", 2)));
}

function worstOf(outputs: Output[]): Output | null {
  let worst: Output | null = null;
  for (const output of outputs)
    if (!worst || numberOf(output.error_ratio) > numberOf(worst.error_ratio)) worst = output;
  return worst;
}

function rowOf(one: Case, measure: Measure, defaults: Record<string, string>): Row {
  const timing = timingOf(one);
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(one.params)) values[name] = shown(value);
  if (measure === "throughput") {
    values["op"] ??= String(one.op ?? "");
    if (one.variant !== undefined) values["variant"] = one.variant;
  }
  const special = Object.keys(one.params).filter((name) => values[name] !== defaults[name]);
  const worst = worstOf(one.outputs);
  return {
    measure,
    case: one,
    status: one.known_failure !== undefined ? "known" : one.status,
    values,
    special,
    brief: "",
    worst,
    error_ratio: worst ? numberOf(worst.error_ratio) : null,
    timing,
    change: null,
    fails: isFailure(one.status) && one.status !== "not_run" && one.known_failure === undefined,
    text: `${one.id} ${one.key} ${one.status} ${one.variant ?? ""} ${one.reason?.code ?? ""} ${one.reason?.text ?? ""}`.toLowerCase(),
  };
}

const SEVERITY = {
  failed: 0,
  untrusted: 1,
  crashed: 2,
  timeout: 3,
  error: 4,
  not_run: 5,
  skipped: 7,
  passed: 8,
} as const;

export const severity = (row: Row): number =>
  row.case.known_failure !== undefined ? 6 : (SEVERITY[row.case.status] ?? 6);

const worstFirst = (a: Row, b: Row): number =>
  severity(a) - severity(b) || (b.error_ratio ?? -1) - (a.error_ratio ?? -1) || 0;

/** Adds the changes to the cases of head, whose runs follow those of base. */
function compare(runs: Run[], comparison: Comparison): void {
  const observed = new Map(comparison.throughput.map((one) => [one.id, one.change?.ratio ?? one.observed]));
  for (const run of runs.slice(comparison.base.length))
    for (const row of run.byMeasure.throughput) {
      const change = observed.get(row.case.id) ?? null;
      row.change = change === null ? null : numberOf(change);
    }
}

/** Describes each row by its axes that vary between the rows; a single row by all non-default axes. */
function describe(rows: Row[]): void {
  const varying = new Set(axesOf(rows).map((axis) => axis.name));
  for (const row of rows) {
    const telling = row.special.filter((name) => rows.length === 1 || varying.has(name));
    row.brief = telling.map((name) => `${name}=${row.values[name]}`).join(" ");
  }
}

export function runsOf(page: Page): Run[] {
  const defaults = defaultsOf(page.default_key);
  const sideOf = (i: number) => (page.comparison ? (i < page.comparison.base.length ? "base" : "head") : null);
  const runs = page.runs.flatMap(({ name, parity, throughput }, i): Run[] => {
    const head = parity ?? throughput;
    if (!head) return [];
    const rows: Row[] = [];
    for (const one of parity?.cases ?? []) rows.push(rowOf(one, "parity", defaults));
    for (const one of throughput?.cases ?? []) rows.push(rowOf(one, "throughput", defaults));
    for (const measure of ["parity", "throughput"] as const) describe(rows.filter((row) => row.measure === measure));
    rows.sort(worstFirst);
    const documents: Run["documents"] = {};
    if (parity) documents.parity = parity;
    if (throughput) documents.throughput = throughput;
    const measuring = (measure: Measure) => rows.filter((row) => row.measure === measure);
    return [
      {
        name,
        side: sideOf(i),
        head,
        documents,
        rows,
        byMeasure: { parity: measuring("parity"), throughput: measuring("throughput") },
      },
    ];
  });
  if (page.comparison) compare(runs, page.comparison);
  return runs;
}

export const rowsOf = (run: Run, measure: Measure): Row[] => run.byMeasure[measure];

export const measuresOf = (run: Run): Measure[] => Object.keys(run.documents) as Measure[];

/** Orders numbers by size, and before text. */
export function byValue(a: string, b: string): number {
  const [x, y] = [Number(a), Number(b)];
  if (Number.isNaN(x) || Number.isNaN(y))
    return Number(Number.isNaN(x)) - Number(Number.isNaN(y)) || (a < b ? -1 : Number(a > b));
  return x - y;
}

const FIRST = ["tp", "dp", "vocab", "dtype", "tokens", "op", "variant", "mode", "mask", "labels", "logits"];

const rank = (name: string): number => (FIRST.indexOf(name) + FIRST.length + 1) % (FIRST.length + 1);

/** The axes with more than one value, the most used first. */
export function axesOf(rows: Pick<Item, "values">[]): Axis[] {
  let axes = axesOfRows.get(rows);
  if (!axes) axesOfRows.set(rows, (axes = findAxes(rows)));
  return axes;
}

const axesOfRows = new WeakMap<Pick<Item, "values">[], Axis[]>();

function findAxes(rows: Pick<Item, "values">[]): Axis[] {
  const found = new Map<string, Set<string>>();
  for (const row of rows)
    for (const [name, value] of Object.entries(row.values)) {
      let values = found.get(name);
      if (!values) found.set(name, (values = new Set()));
      values.add(value);
    }
  return [...found]
    .filter(([, values]) => values.size > 1)
    .map(([name, values]) => ({ name, values: [...values].sort(byValue) }))
    .sort((a, b) => rank(a.name) - rank(b.name) || (a.name < b.name ? -1 : 1));
}

/** The same case at all TP sizes, itself included, by size. */
export function atOtherSizes(run: Run, row: Row): Row[] {
  const but = (one: Row) =>
    one.measure +
    JSON.stringify(
      Object.entries(one.values)
        .filter(([name]) => name !== "tp")
        .sort(),
    );
  const wanted = but(row);
  return run.rows
    .filter((one) => one.measure === row.measure && but(one) === wanted)
    .sort((a, b) => Number(a.values["tp"]) - Number(b.values["tp"]));
}
