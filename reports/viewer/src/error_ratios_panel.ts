// How near each output came to its bound: what reports/model/error ratios.h counts, from the same cases.
import { caseLink } from "./overview.ts";
import { count, digits, percent } from "./units.ts";
import { h, table } from "./dom.ts";
import { errorRatioBar } from "./badges.ts";
import { numberOf } from "./report.ts";
import type { Row, Run } from "./model.ts";
import type { State } from "./state.ts";

interface ErrorRatios {
  found: { error_ratio: number; row: Row }[]; // the smallest first
  naive: number[];
}

/** By output, in the order they first occur in the reports; where no error could show, and infinite ones, are left out. */
function errorRatiosOf(run: Run): Map<string, ErrorRatios> {
  const rows = new Map(run.rows.map((row) => [row.case, row]));
  const byName = new Map<string, ErrorRatios>();
  for (const one of [...(run.documents.parity?.cases ?? []), ...(run.documents.throughput?.cases ?? [])])
    for (const output of one.outputs) {
      let all = byName.get(output.name);
      if (!all) byName.set(output.name, (all = { found: [], naive: [] }));
      const error_ratio = numberOf(output.error_ratio);
      if ((output.nontrivial ?? 0) === 0 || !Number.isFinite(error_ratio)) continue;
      all.found.push({ error_ratio, row: rows.get(one)! });
      if (output.naive) all.naive.push(numberOf(output.naive.error_ratio));
    }
  for (const [name, { found }] of byName)
    if (found.length === 0) byName.delete(name);
    else found.sort((a, b) => a.error_ratio - b.error_ratio);
  return byName;
}

/** The smallest that at least that share does not exceed. */
const quantile = <T>(sorted: T[], share: number): T => sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1]!;

export function errorRatiosPanel(run: Run, state: State): HTMLElement | null {
  const error_ratios = errorRatiosOf(run);
  if (error_ratios.size === 0) return null;
  const rows = [...error_ratios].map(([name, { found, naive }]) => {
    const top = found[found.length - 1]!;
    return [
      name,
      count(found.length),
      ...[0, 0.5, 0.95].map((share) => digits(quantile(found, share).error_ratio)),
      errorRatioBar(top.error_ratio),
      caseLink(top.row, state),
      naive.length ? percent(naive.filter((error_ratio) => error_ratio > 1).length / naive.length) : "-",
    ];
  });
  return h(
    "section",
    { class: "panel", "aria-labelledby": "outputs" },
    h("h2", { id: "outputs" }, "How near each output came to its bound"),
    h(
      "p",
      { class: "muted" },
      "Error ratio: the largest error divided by the bound at its element. Above 1 is a failure. Counted are the cases, of parity and of throughput, where the output had something to compare and its error ratio is finite. Naive: arithmetic in the storage type, where the bound tells it apart.",
    ),
    table(
      "Error ratios by output",
      ["Output", "Cases", "Least", "Median", "95th percentile", "Largest", "Case", "Naive caught"],
      rows,
      [1, 2, 3, 4, 7],
    ),
  );
}
