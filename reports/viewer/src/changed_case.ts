// One change of a comparison: as an item that can be filtered, in words, and as a panel on its case's page.
import { badge } from "./case_summary.ts";
import { h } from "./dom.ts";
import { defaultsOf } from "./model.ts";
import { numberOf } from "./report.ts";
import { change, count, digits, plural, seconds, median } from "./units.ts";
import type { Item, Run } from "./model.ts";
import type { Comparison, Measure, ParityChange, ThroughputChange } from "./report.ts";

/** Verdicts of parity and throughput, in the order of the filter. */
export const VERDICTS = [
  "regressed",
  "error_ratio_grew",
  "missing",
  "changed",
  "inconclusive",
  "not_comparable",
  "new",
  "fixed",
  "improved",
  "equivalent",
] as const;

export interface ChangedCase<T = ParityChange | ThroughputChange> extends Item {
  change: T;
  brief: string; // axes that differ from their default
  run: number; // index of the run with the case, of head if possible; -1: no run has it
}

export interface Changed {
  parity: ChangedCase<ParityChange>[];
  throughput: ChangedCase<ThroughputChange>[];
}

export function changedOf(comparison: Comparison, defaultKey: string, runs: Run[]): Changed {
  const defaults = defaultsOf(defaultKey);
  const item = <T extends ParityChange | ThroughputChange>(
    change: T,
    status: string,
    rest: string,
    variant: string,
    find: (id: string) => number,
  ): ChangedCase<T> => {
    const values = defaultsOf(change.key);
    const brief = Object.entries(values)
      .filter(([name, value]) => defaults[name] !== value)
      .map(([name, value]) => `${name}=${value}`)
      .join(" ");
    if (variant) values["variant"] = variant;
    return {
      change,
      status,
      values,
      brief,
      run: find(change.id),
      text: `${change.id} ${change.key} ${status} ${variant} ${rest}`.toLowerCase(),
    };
  };
  const [parity, throughput] = [finder(comparison, runs, "parity"), finder(comparison, runs, "throughput")];
  return {
    parity: comparison.parity.map((one) => item(one, one.change, `${one.base ?? ""} ${one.head ?? ""}`, "", parity)),
    throughput: comparison.throughput.map((one) =>
      item(one, one.verdict, `${one.reason?.code ?? ""} ${one.reason?.text ?? ""}`, one.variant, throughput),
    ),
  };
}

/** Finds the run with a case: in head, otherwise in base. */
function finder(comparison: Comparison, runs: Run[], measure: Measure): (id: string) => number {
  const ids = runs.map((run) => new Set(run.byMeasure[measure].map((row) => row.case.id)));
  const bases = comparison.base.length;
  return (id) => {
    const at = ids.findIndex((one, i) => i >= bases && one.has(id));
    return at >= 0 ? at : ids.findIndex((one) => one.has(id));
  };
}

/** The measures with changes; one with a regression comes first. */
export function measuresWithChanges(changed: Changed): Measure[] {
  const regressed = (measure: Measure) => changed[measure].some((one: Item) => one.status === "regressed");
  const all = (["parity", "throughput"] as const).filter((measure) => changed[measure].length > 0);
  return all.sort((a, b) => Number(regressed(b)) - Number(regressed(a)));
}

export const LOOK: Record<string, string> = {
  regressed: "failed",
  fixed: "passed",
  improved: "passed",
  equivalent: "skipped",
  changed: "known",
  error_ratio_grew: "known",
  inconclusive: "known",
  not_comparable: "skipped",
  new: "skipped",
  missing: "known",
};

export const verdictBadge = (word: string): HTMLElement => badge(word, LOOK[word] ?? "skipped");

export const ERROR_RATIOS_SHOWN = 3;

/** Error ratios that grew; for a regressed case also those above 1. The worst is first. */
export function errorRatiosText({ error_ratios }: ParityChange, shown = Infinity): string {
  const parts = error_ratios
    .slice(0, shown)
    .map(
      ({ output, base, head }) =>
        `${output} ${base === null ? "absent" : digits(numberOf(base))} → ${digits(numberOf(head))}`,
    );
  return [...parts, ...(error_ratios.length > shown ? [`${count(error_ratios.length - shown)} more`] : [])].join(", ");
}

/** Confidence of each look at the data: the looks share the permitted error. */
export const confidenceText = ({ confidence, looks }: Comparison["criteria"]): string =>
  `${digits(100 * (1 - (1 - confidence) / looks), 4)} %`;

export const intervalText = (found: NonNullable<ThroughputChange["change"]>): string =>
  found.interval.map((end) => change(numberOf(end))).join(" to ");

type Line = (Node | string)[];

const middle = (times: number[]): string => seconds(median(times)!);

function timesOf(
  { base_s, head_s, change: found, observed, reason }: ThroughputChange,
  criteria: Comparison["criteria"],
): Line {
  const times = base_s.length > 0 && head_s.length > 0 ? `base ${middle(base_s)}, head ${middle(head_s)}` : "";
  const by = found
    ? `${change(numberOf(found.ratio))}, ${confidenceText(criteria)} interval ${intervalText(found)} of ${plural(found.pairs, "pair")}`
    : observed === null
      ? ""
      : change(numberOf(observed));
  return [[times, by, reason ? `${reason.code}: ${reason.text}` : ""].filter(Boolean).join("; ")];
}

function errorRatiosOf(one: ParityChange): Line {
  const statuses = [one.base ? badge(one.base) : "absent", " → ", one.head ? badge(one.head) : "absent"];
  const error_ratios = errorRatiosText(one);
  return error_ratios ? [...statuses, `; error ratios: ${error_ratios}`] : statuses;
}

/** Null if the comparison does not contain the case. */
export function comparedPanel(
  { parity, throughput, criteria }: Comparison,
  measure: Measure,
  id: string,
): HTMLElement | null {
  const checked = measure === "parity" ? parity.find((one) => one.id === id) : undefined;
  const timed = measure === "throughput" ? throughput.find((one) => one.id === id) : undefined;
  const [word, line] = checked
    ? [checked.change, errorRatiosOf(checked)]
    : timed
      ? [timed.verdict, timesOf(timed, criteria)]
      : ["", []];
  if (!word) return null;
  return h(
    "section",
    { class: "panel", "aria-labelledby": "compared" },
    h("h2", { id: "compared" }, "Head against base ", verdictBadge(word)),
    h("p", {}, line),
  );
}
