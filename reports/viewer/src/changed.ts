// The changes of a comparison as a list that can be filtered.
import { defaultsOf } from "./model.ts";
import type { Comparison, Measure, ParityChange, ThroughputChange } from "./report.ts";
import type { Item } from "./filter.ts";
import type { Run } from "./model.ts";

/** Of parity and of throughput, in the order in which the filters offer them. */
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
  brief: string; // what is not at its default
  run: number; // whose case it is, head's if it has it; -1: none has
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

/** Where a case is missing in head, base has it. */
function finder(comparison: Comparison, runs: Run[], measure: Measure): (id: string) => number {
  const ids = runs.map((run) => new Set(run.byMeasure[measure].map((row) => row.case.id)));
  const bases = comparison.base.length;
  return (id) => {
    const at = ids.findIndex((one, i) => i >= bases && one.has(id));
    return at >= 0 ? at : ids.findIndex((one) => one.has(id));
  };
}

/** The one with a regression first, so that it is what is seen first. */
export function measuresWithChanges(changed: Changed): Measure[] {
  const regressed = (measure: Measure) => changed[measure].some((one: Item) => one.status === "regressed");
  const all = (["parity", "throughput"] as const).filter((measure) => changed[measure].length > 0);
  return all.sort((a, b) => Number(regressed(b)) - Number(regressed(a)));
}
