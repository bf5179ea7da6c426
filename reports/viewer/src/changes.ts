// What changed between two sides: verdict, parity, throughput with intervals. Worked out by `vparity compare`.
import { afresh } from "./state.ts";
import { badge } from "./badges.ts";
import { change, count, digits, percent, plural } from "./units.ts";
import { changesPlot } from "./plots.ts";
import { command, facts, h, table } from "./dom.ts";
import { defaultsOf } from "./model.ts";
import { numberOf } from "./report.ts";
import type { ComparedRun, Comparison, Measure, Page, ParityChange, ThroughputChange } from "./report.ts";
import type { Run } from "./model.ts";
import type { State } from "./state.ts";

/** More than these nobody reads; the page says how many there are. */
const SHOWN = 300;

const LOOK: Record<string, string> = {
  regressed: "failed",
  fixed: "passed",
  improved: "passed",
  equivalent: "skipped",
  changed: "known",
  margin_grew: "known",
  inconclusive: "known",
  not_comparable: "skipped",
  new: "skipped",
  missing: "known",
};

const verdictBadge = (word: string): HTMLElement => badge(word, LOOK[word] ?? "skipped");

export function changesView(page: Page, runs: Run[], state: State): HTMLElement {
  const comparison = page.comparison;
  if (!comparison) return h("div", { class: "view" }, h("section", { class: "panel empty" }, h("h1", { tabindex: -1 }, "No comparison"), h("p", {}, "vparity compare BASE HEAD --html makes a page with one.")));
  const defaults = defaultsOf(page.default_key);
  const brief = (key: string) => h("span", { class: "brief" }, Object.entries(defaultsOf(key)).filter(([name, value]) => defaults[name] !== value).map(([name, value]) => `${name}=${value}`).join(" "));
  const idsOf = (measure: Measure) => runs.map((run) => new Set(run.byMeasure[measure].map((row) => row.case.id)));
  const ids = { parity: idsOf("parity"), throughput: idsOf("throughput") };
  // Where a case is missing in head, base has it.
  const reference = (one: { id: string }, measure: Measure) => {
    const has = (_: Run, i: number) => ids[measure][i]!.has(one.id);
    const bases = comparison.base.length;
    const at = runs.findIndex((run, i) => i >= bases && has(run, i));
    const run = at >= 0 ? at : runs.findIndex(has);
    return run < 0 ? h("span", { class: "mono" }, one.id) : h("a", { class: "mono", href: afresh({ ...state, run, measure }, { view: "case", id: one.id }) }, one.id);
  };
  return h(
    "div",
    { class: "view" },
    h("div", { class: "first-screen" }, verdictPanel(comparison), sidesPanel(comparison)),
    parityPanel(comparison, (one) => [verdictBadge(one.change), reference(one, "parity"), brief(one.key)]),
    throughputPanel(comparison, (one) => [verdictBadge(one.verdict), reference(one, "throughput"), one.variant, brief(one.key)]),
  );
}

const WORDS: Record<number, [string, string, string]> = {
  0: ["No regression", "good", "Nothing got worse."],
  1: ["Regressed", "bad", "These cases got worse, confirmed:"],
  5: ["Not decided", "open", "No regression was confirmed, but some cases are missing, cannot be compared, or need more runs."],
};

function worse({ parity, throughput }: Comparison["summary"]): string {
  const parts = [
    parity["regressed"] ? `${count(parity["regressed"])} in parity` : "",
    throughput["regressed"] ? `${count(throughput["regressed"])} in throughput` : "",
  ].filter(Boolean);
  return parts.length > 0 ? ` ${parts.join(", ")}.` : "";
}

function verdictPanel({ summary, criteria, notes }: Comparison): HTMLElement {
  const [word, mood, sentence] = WORDS[summary.exit_code] ?? ["Compared", "open", ""];
  const counted = (measure: Record<string, number>, title: string) => {
    const entries = Object.entries(measure).filter(([name, value]) => value > 0 && name in LOOK);
    return entries.length > 0 && h("ul", { class: "counts", "aria-label": title }, h("li", { class: "counts-title" }, title), entries.map(([name, value]) => h("li", {}, h("span", { class: `count s-${LOOK[name]}` }, h("strong", {}, count(value)), ` ${name.replace(/_/g, " ")}`))));
  };
  return h(
    "section",
    { class: `panel verdict ${mood}`, "aria-labelledby": "verdict" },
    h("p", { class: "eyebrow" }, `Changes beyond ${digits(100 * criteria.margin)} %, ${digits(100 * criteria.confidence)} % confidence`),
    h("h1", { id: "verdict", tabindex: -1 }, word),
    h("p", { class: "sentence" }, `${sentence}${worse(summary)} Exit code ${summary.exit_code}.`),
    counted(summary.parity, "Parity"),
    counted(summary.throughput, "Throughput"),
    notes.map((note) => h("p", { class: "warning" }, note)),
  );
}

function sidesPanel({ base, head, summary }: Comparison): HTMLElement {
  const shown = (run: ComparedRun) => `${run.path} · ${run.started.replace("T", " ").replace("Z", " UTC")} · commit ${(run.git.revision ?? "unknown").slice(0, 12)}${run.git.dirty ? " with uncommitted changes" : ""}`;
  const side = (list: ComparedRun[]) => h("ul", {}, list.map((run) => h("li", {}, shown(run))));
  const prints = new Set([...base, ...head].map((run) => run.fingerprint));
  return h(
    "section",
    { class: "panel", "aria-labelledby": "sides" },
    h("h2", { id: "sides" }, "What was compared"),
    facts([
      ["Base", side(base)],
      ["Head", side(head)],
      ["Machines", prints.size === 1 ? "the same fingerprint" : `${prints.size} fingerprints: times are not comparable`],
      ["Parity", summary.parity["compared"] ? `${plural(summary.parity["compared"], "case")} in both, of which ${count(summary.parity["failing_in_both"] ?? 0)} fail in both` : "no case in both"],
    ]),
  );
}

const left = (list: unknown[]): HTMLElement | null =>
  list.length > SHOWN ? h("p", { class: "muted none-of" }, `${count(list.length - SHOWN)} more: vparity compare -v lists all`) : null;

function parityPanel({ parity, summary }: Comparison, begin: (one: ParityChange) => Node[]): HTMLElement | null {
  const title = h("h2", { id: "parity" }, "Parity");
  if (parity.length === 0 && summary.parity["compared"] === 0) return null;
  if (parity.length === 0) return h("section", { class: "panel", "aria-labelledby": "parity" }, title, h("p", { class: "muted" }, "No case changed its status, and no margin grew by more than a quarter."));
  const margins = (one: ParityChange) => one.margins.map(({ output, base, head }) => `${output} ${digits(numberOf(base))} → ${digits(numberOf(head))}`).join(", ") || "-";
  const status = (one: ParityChange) => [one.base ? badge(one.base) : "not there", " → ", one.head ? badge(one.head) : "not there"];
  const rows = parity.slice(0, SHOWN).map((one) => [...begin(one), status(one), margins(one), command(one.repeat)]);
  return h("section", { class: "panel changes", "aria-labelledby": "parity" }, title, table("Parity changes", ["Change", "Case", "Not at default", "Status", "Margins that grew", "Repeat"], rows), left(parity));
}

function throughputPanel({ throughput, criteria }: Comparison, begin: (one: ThroughputChange) => (Node | string)[]): HTMLElement | null {
  if (throughput.length === 0) return null;
  const rows = throughput.slice(0, SHOWN).map((one) => {
    const found = one.change;
    const ratio = found ? numberOf(found.ratio) : one.observed === null ? null : numberOf(one.observed);
    return [
      ...begin(one),
      ratio === null ? "-" : change(ratio),
      found ? `${change(numberOf(found.interval[0]))} to ${change(numberOf(found.interval[1]))}` : "-",
      found ? change(numberOf(found.detectable)) : "-",
      found ? count(found.pairs) : "-",
      one.reason ? h("span", { class: "brief" }, `${one.reason.code}: ${one.reason.text}`) : "",
    ];
  });
  return h(
    "section",
    { class: "panel changes", "aria-labelledby": "throughput" },
    h("h2", { id: "throughput" }, "Throughput"),
    h("p", { class: "muted" }, `Time of head over that of base, less 1: above 0 is slower. Intervals at ${percent(criteria.confidence)}; seen from: the smallest slowdown that would have been found.`),
    changesPlot(throughput, criteria.margin),
    table("Throughput changes", ["Verdict", "Case", "Kernels", "Not at default", "Change", "Interval", "Seen from", "Pairs", "Why not"], rows, [4, 5, 6, 7]),
    left(throughput),
  );
}
