// What changed between two sides: verdict, parity, throughput with intervals. Computed by `vparity compare`.
import { badge } from "./case_summary.ts";
import {
  ERROR_RATIOS_SHOWN,
  LOOK,
  VERDICTS,
  confidenceText,
  errorRatiosText,
  intervalText,
  verdictBadge,
} from "./changed_case.ts";
import { command, copyButton, facts, h } from "./dom.ts";
import { pagedTable } from "./paged_table.ts";
import { changesPlot } from "./plots.ts";
import { numberOf } from "./report.ts";
import { afresh } from "./state.ts";
import { change, count, digits, plural } from "./units.ts";
import type { ChangedCase } from "./changed_case.ts";
import type { Column } from "./paged_table.ts";
import type { ComparedRun, Comparison, Measure, ParityChange, ThroughputChange } from "./report.ts";
import type { State } from "./state.ts";

/** Shown above the list. */
export const changesHead = (comparison: Comparison, state: State): HTMLElement =>
  h("div", { class: "first-screen" }, verdictPanel(comparison, state), sidesPanel(comparison));

export const noComparison = (): HTMLElement =>
  h(
    "div",
    { class: "view" },
    h(
      "section",
      { class: "panel empty" },
      h("h1", { tabindex: -1 }, "No comparison"),
      h("p", {}, h("code", {}, "vparity compare BASE HEAD --html FILE"), " writes a page with a comparison."),
    ),
  );

type Choose = (changes: Partial<State>) => void;

export function changesView(
  comparison: Comparison,
  measure: Measure,
  shown: ChangedCase[],
  state: State,
  choose: Choose,
): HTMLElement {
  if (comparison[measure].length === 0)
    return h(
      "section",
      { class: "panel" },
      h(
        "p",
        { class: "muted" },
        comparison.summary.parity["compared"] === 0
          ? "Base and head have no case in common."
          : "No case changed its status, and no error ratio grew by more than a quarter.",
      ),
    );
  if (measure === "parity") return parityTable(shown as ChangedCase<ParityChange>[], state, choose);
  return throughputTable(comparison, shown as ChangedCase<ThroughputChange>[], state, choose);
}

function beginning<T extends ParityChange | ThroughputChange>(
  measure: Measure,
  state: State,
): Column<ChangedCase<T>>[] {
  const reference = ({ run, change: one }: ChangedCase<T>) =>
    run < 0
      ? h("span", { class: "mono" }, one.id)
      : h("a", { class: "mono", href: afresh({ ...state, run, measure }, { view: "case", id: one.id }) }, one.id);
  return [
    {
      name: "status",
      title: measure === "parity" ? "Change" : "Verdict",
      by: (one) => VERDICTS.indexOf(one.status as "new"),
      cell: (one) => verdictBadge(one.status),
    },
    { name: "id", title: "Case", by: (one) => one.change.id, cell: reference },
    {
      name: "setting",
      title: "Non-default axes",
      by: (one) => one.brief,
      cell: (one) => h("span", { class: "brief" }, one.brief),
    },
  ];
}

function parityTable(items: ChangedCase<ParityChange>[], state: State, choose: Choose): HTMLElement {
  const status = (one: ParityChange) => [
    one.base ? badge(one.base) : "absent",
    " → ",
    one.head ? badge(one.head) : "absent",
  ];
  const columns: Column<ChangedCase<ParityChange>>[] = [
    ...beginning<ParityChange>("parity", state),
    { name: "was", title: "Status", cell: (one) => status(one.change) },
    {
      name: "error_ratios",
      title: "Error ratios, base → head",
      by: (one) => (one.change.error_ratios[0] ? numberOf(one.change.error_ratios[0].head) : null),
      cell: (one) => errorRatiosText(one.change, ERROR_RATIOS_SHOWN) || "-",
    },
    { name: "repeat", title: "Repeat", cell: (one) => command(one.change.repeat) },
  ];
  return h(
    "div",
    { class: "changes" },
    pagedTable(
      { noun: "change", title: "Parity changes", items, columns, marked: (one) => one.status === "regressed" },
      state,
      choose,
    ),
  );
}

/** Relative change of the time from base to head. */
function ratioOf({ change: found, observed }: ThroughputChange): number | null {
  if (found) return numberOf(found.ratio);
  return observed === null ? null : numberOf(observed);
}

function throughputTable(
  { criteria }: Comparison,
  items: ChangedCase<ThroughputChange>[],
  state: State,
  choose: Choose,
): HTMLElement {
  const number = (
    name: string,
    title: string,
    value: (one: ThroughputChange) => number | null,
    text: (one: ThroughputChange) => string,
  ): Column<ChangedCase<ThroughputChange>> => ({
    name,
    title,
    numeric: true,
    by: (one) => value(one.change),
    cell: (one) => (value(one.change) === null ? "-" : text(one.change)),
  });
  const columns: Column<ChangedCase<ThroughputChange>>[] = [
    ...beginning<ThroughputChange>("throughput", state),
    { name: "variant", title: "Variant", by: (one) => one.change.variant, cell: (one) => one.change.variant },
    number("change", "Change", ratioOf, (one) => change(ratioOf(one)!)),
    number(
      "interval",
      "Interval",
      ({ change: found }) => (found ? numberOf(found.interval[0]) : null),
      ({ change: found }) => intervalText(found!),
    ),
    number(
      "detectable",
      "Detectable",
      ({ change: found }) => (found ? numberOf(found.detectable) : null),
      ({ change: found }) => change(numberOf(found!.detectable)),
    ),
    number(
      "pairs",
      "Pairs",
      ({ change: found }) => found?.pairs ?? null,
      ({ change: found }) => count(found!.pairs),
    ),
    {
      name: "reason",
      title: "Reason",
      by: (one) => one.change.reason?.code ?? null,
      cell: ({ change: { reason } }) => (reason ? h("span", { class: "brief" }, `${reason.code}: ${reason.text}`) : ""),
    },
    { name: "repeat", title: "Repeat", cell: ({ change: one }) => copyButton(one.repeat, `case ${one.id}`) },
  ];
  const picture = changesPlot(
    items.map((one) => one.change),
    criteria.threshold,
  );
  return h(
    "div",
    { class: "changes stack" },
    h(
      "section",
      { class: "panel", "aria-labelledby": "throughput" },
      h("h2", { id: "throughput" }, "Throughput"),
      h(
        "p",
        { class: "muted" },
        `Change: how much longer head takes than base; a positive change is slower. Intervals at ${confidenceText(criteria)} confidence. Detectable: the smallest slowdown that these runs can show.`,
      ),
      picture,
    ),
    pagedTable(
      { noun: "change", title: "Throughput changes", items, columns, marked: (one) => one.status === "regressed" },
      state,
      choose,
    ),
  );
}

const WORDS: Record<number, [string, string, string]> = {
  0: ["No regression", "good", "Nothing got worse."],
  1: ["Regressed", "bad", "Confirmed regressions:"],
  5: [
    "Not decided",
    "open",
    "No regression was confirmed, but some cases are missing, cannot be compared, or need more runs.",
  ],
};

export const wordOf = ({ summary }: Comparison): string => WORDS[summary.exit_code]?.[0] ?? "Compared";

function worse({ parity, throughput }: Comparison["summary"]): string {
  const parts = [
    parity["regressed"] ? `${count(parity["regressed"])} in parity` : "",
    throughput["regressed"] ? `${count(throughput["regressed"])} in throughput` : "",
  ].filter(Boolean);
  return parts.length > 0 ? ` ${parts.join(", ")}.` : "";
}

function verdictPanel({ summary, criteria, notes }: Comparison, state: State): HTMLElement {
  const [word, mood, sentence] = WORDS[summary.exit_code] ?? ["Compared", "open", ""];
  const counted = (numbers: Record<string, number>, measure: Measure, title: string) => {
    const leads = (name: string) => afresh(state, { view: "changes", measure, status: [name] });
    const entries = Object.entries(numbers).filter(([name, value]) => value > 0 && name in LOOK);
    return (
      entries.length > 0 &&
      h(
        "ul",
        { class: "counts", "aria-label": title },
        h("li", { class: "counts-title" }, title),
        entries.map(([name, value]) =>
          h(
            "li",
            {},
            h(
              "a",
              { class: `count s-${LOOK[name]}`, href: leads(name) },
              h("strong", {}, count(value)),
              ` ${name.replace(/_/g, " ")}`,
            ),
          ),
        ),
      )
    );
  };
  return h(
    "section",
    { class: `panel verdict ${mood}`, "aria-labelledby": "verdict" },
    h(
      "p",
      { class: "eyebrow" },
      `Changes beyond ${digits(100 * criteria.threshold)} %, ${digits(100 * criteria.confidence)} % confidence`,
    ),
    h("h1", { id: "verdict", tabindex: -1 }, word),
    h("p", { class: "sentence" }, `${sentence}${worse(summary)} Exit code ${summary.exit_code}.`),
    counted(summary.parity, "parity", "Parity"),
    counted(summary.throughput, "throughput", "Throughput"),
    notes.map((note) => h("p", { class: "warning" }, note)),
  );
}

function sidesPanel({ base, head, summary }: Comparison): HTMLElement {
  const shown = (run: ComparedRun) =>
    `${run.path} · ${run.started.replace("T", " ").replace("Z", " UTC")} · commit ${(run.git.revision ?? "unknown").slice(0, 12)}${run.git.dirty ? " with uncommitted changes" : ""}`;
  const side = (list: ComparedRun[]) =>
    h(
      "ul",
      {},
      list.map((run) => h("li", {}, shown(run))),
    );
  const prints = new Set([...base, ...head].map((run) => run.fingerprint));
  return h(
    "section",
    { class: "panel", "aria-labelledby": "sides" },
    h("h2", { id: "sides" }, "What was compared"),
    facts([
      ["Base", side(base)],
      ["Head", side(head)],
      [
        "Machines",
        prints.size === 1
          ? "one fingerprint: times can be compared"
          : `${prints.size} fingerprints: times cannot be compared`,
      ],
      [
        "Parity",
        summary.parity["compared"]
          ? `${plural(summary.parity["compared"], "case")} in both, of which ${count(summary.parity["failing_in_both"] ?? 0)} fail in both`
          : "no case in both",
      ],
    ]),
  );
}
