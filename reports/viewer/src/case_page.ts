// The page of one case: parameters, errors, invariants, times, history.
import { badgeOf, caseLink, errorRatioBar, whyOf } from "./case_summary.ts";
import { command, facts, h, table } from "./dom.ts";
import { atOtherSizes } from "./model.ts";
import { errorRatiosPlot, samplesPlot, scalingPlot } from "./plots.ts";
import { numberOf } from "./report.ts";
import { link } from "./state.ts";
import { bytes, count, digits, exact, percent, plural, rate, seconds } from "./units.ts";
import type { Row, Run } from "./model.ts";
import type { Case, Timing } from "./report.ts";
import type { State } from "./state.ts";

/** `history` and `compared`: panels with the case's history and its comparison, where the page has them. */
export function casePage(
  run: Run,
  row: Row | undefined,
  state: State,
  history: HTMLElement | null,
  compared: HTMLElement | null,
): HTMLElement {
  if (!row && history) return endedCase(state, history);
  if (!row)
    return h(
      "div",
      { class: "view" },
      h(
        "section",
        { class: "panel empty" },
        h("h1", { tabindex: -1 }, "No such case"),
        h(
          "p",
          {},
          `This run has no case ${state.id || "of that id"}. `,
          h("a", { href: link(state, { view: "cases", id: "" }) }, "All cases"),
        ),
      ),
    );
  const one = row.case;
  return h(
    "div",
    { class: "view" },
    h(
      "section",
      { class: `panel case-head${row.fails ? " bad" : ""}`, "aria-labelledby": "case" },
      h(
        "p",
        { class: "eyebrow" },
        h("a", { href: link(state, { view: "cases", id: "" }) }, "Cases"),
        ` / ${row.measure}`,
      ),
      h("h1", { id: "case", tabindex: -1 }, "Case ", h("span", { class: "mono" }, one.id), " ", badgeOf(row)),
      h(
        "p",
        { class: "brief" },
        row.special.map((name) => `${name}=${row.values[name]}`).join(" ") || "all axes have their default",
      ),
      one.status !== "passed" && h("p", { class: "why" }, whyOf(row)),
      one.known_failure !== undefined && h("p", {}, "Expected by the known failure ", h("code", {}, one.known_failure)),
      command(one.repeat),
    ),
    compared,
    row.timing && timingPanel(row.timing),
    history,
    outputsPanel(one),
    columns([
      errorRatiosPanel(one),
      invariantsPanel(one),
      scalingPanel(run, row, state),
      row.timing && variantsPanel(row.timing),
    ]),
    columns([parametersPanel(row), h("div", { class: "stack" }, coursePanel(one), occurrencePanel(one))]),
  );
}

/** A case that only the history has. */
function endedCase(state: State, history: HTMLElement): HTMLElement {
  return h(
    "div",
    { class: "view" },
    h(
      "section",
      { class: "panel case-head", "aria-labelledby": "case" },
      h("p", { class: "eyebrow" }, h("a", { href: link(state, { view: "history", id: "", status: [] }) }, "History")),
      h("h1", { id: "case", tabindex: -1 }, "Case ", h("span", { class: "mono" }, state.id)),
      h("p", {}, "This run does not have the case; earlier nights do."),
    ),
    history,
  );
}

function columns(panels: (HTMLElement | null)[]): HTMLElement | null {
  const shown = panels.filter((one): one is HTMLElement => one !== null);
  return shown.length > 0 ? h("div", { class: "columns" }, shown) : null;
}

function errorRatiosPanel(one: Case): HTMLElement | null {
  const picture = errorRatiosPlot(one);
  return picture && panel("error_ratios", "Error ratios and the bound", picture);
}

const panel = (id: string, title: string, ...children: (Node | null)[]): HTMLElement =>
  h("section", { class: "panel", "aria-labelledby": id }, h("h2", { id }, title), ...children);

function outputsPanel(one: Case): HTMLElement | null {
  if (one.outputs.length === 0) return null;
  const rows = one.outputs.map((output) => {
    const at = output.worst;
    return [
      output.name,
      errorRatioBar(numberOf(output.error_ratio)),
      output.naive ? digits(numberOf(output.naive.error_ratio)) : "-",
      `${count(output.mismatches)} of ${count(output.checked)}`,
      digits(numberOf(output.max_abs)),
      digits(numberOf(output.max_rel)),
      digits(numberOf(output.max_ulp)),
      digits(numberOf(output.rms)),
      at ? `row ${at.row}, column ${at.column}, rank ${at.rank}` : "-",
      at ? exact(numberOf(at.expected)) : "-",
      at ? exact(numberOf(at.actual)) : "-",
    ];
  });
  const head = [
    "Output",
    "Error ratio",
    "Naive error ratio",
    "Outside the bound",
    "Max error",
    "Max relative",
    "Max ulp",
    "RMS",
    "Worst element",
    "Expected",
    "Actual",
  ];
  return panel("errors", "Errors against the bound", table("Errors against the bound", head, rows, [2, 3, 4, 5, 6, 7]));
}

function invariantsPanel(one: Case): HTMLElement | null {
  const all = one.invariants ?? [];
  if (all.length === 0) return null;
  const rows = all.map((check) => [
    check.name,
    check.ok ? "holds" : h("strong", { class: "bad-text" }, "violated"),
    digits(numberOf(check.value), 4),
    digits(numberOf(check.bound), 4),
  ]);
  return panel(
    "invariants",
    "Invariants",
    table("Invariants", ["Invariant", "Verdict", "Value", "Bound"], rows, [2, 3]),
  );
}

function timingPanel(timing: Timing): HTMLElement {
  const [low, high] = timing.median_interval_s;
  const notes = [
    timing.oversubscribed && "more ranks than cores",
    timing.cache_resident && "buffers may have stayed in the cache",
  ].filter(Boolean);
  return panel(
    "timing",
    `Time of ${timing.op}, ${timing.variant}`,
    notes.length > 0 ? h("p", { class: "warning" }, `Caution: ${notes.join("; ")}.`) : null,
    h(
      "div",
      { class: "columns wide-left" },
      samplesPlot(timing),
      facts([
        ["Median", `${seconds(timing.median_s)} (95 %: ${seconds(low)} to ${seconds(high)})`],
        ["Share of floor", `${percent(timing.share_of_floor)} (floor ${seconds(timing.floor_s)})`],
        ["Share of its own floor", `${percent(timing.own_floor_s / timing.median_s)} (${seconds(timing.own_floor_s)})`],
        ["Tokens", rate(timing.tokens_per_s, "tok/s")],
        ["Moved per rank", `${bytes(timing.bytes_per_rank)} at ${rate(timing.gb_per_s * 1e9, "B/s")}`],
        [
          "Memory, per rank",
          `read ${rate(timing.read_gbps * 1e9, "B/s")}, copy ${rate(timing.copy_gbps * 1e9, "B/s")}`,
        ],
        ["Collectives", `${count(timing.collectives)}, ${digits(timing.bytes_per_token)} B sent per token`],
        ["Extra memory", bytes(timing.extra_memory_bytes)],
        ["Rank skew", seconds(timing.rank_skew_s)],
        ["Iterations", `${count(timing.samples_s.length)} after ${plural(timing.warmup, "warm-up iteration")}`],
      ]),
    ),
  );
}

function variantsPanel(timing: Timing): HTMLElement | null {
  const names = Object.keys(timing.speedup).sort();
  if (names.length === 0) return null;
  const rows = names.map((name) => [
    name,
    `${digits(timing.speedup[name]!)} ×`,
    timing.predicted_speedup[name] === undefined ? "-" : `${digits(timing.predicted_speedup[name]!)} ×`,
  ]);
  return panel(
    "variants",
    "Other variants in the same job",
    table("Other variants in the same job", ["Variant", "Relative time", "Predicted from bytes"], rows, [1, 2]),
  );
}

function scalingPanel(run: Run, row: Row, state: State): HTMLElement | null {
  const rows = atOtherSizes(run, row);
  if (rows.length < 2) return null;
  const lines = rows.map((one) => [
    h("span", {}, one.values["tp"] ?? "", one === row ? " (this case)" : ""),
    caseLink(one, state),
    badgeOf(one),
    one.timing ? rate(one.timing.tokens_per_s, "tok/s") : one.error_ratio === null ? "-" : digits(one.error_ratio),
  ]);
  const last = row.measure === "throughput" ? "Tokens per second" : "Worst error ratio";
  return panel(
    "scaling",
    "Other TP sizes",
    scalingPlot(rows),
    table("The same case at other TP sizes", ["TP", "Case", "Status", last], lines, [3]),
  );
}

function parametersPanel(row: Row): HTMLElement {
  const special = new Set(row.special);
  const names = Object.keys(row.values).sort(
    (a, b) => Number(special.has(b)) - Number(special.has(a)) || (a < b ? -1 : 1),
  );
  const entries = names.map((name): [string, Node] => [
    name,
    h(special.has(name) ? "strong" : "span", {}, row.values[name] ?? ""),
  ]);
  return panel(
    "parameters",
    "Parameters",
    h("p", { class: "muted" }, "Bold: differs from the default."),
    facts(entries),
  );
}

function coursePanel(one: Case): HTMLElement {
  const phases = Object.entries(one.phases_s ?? {}).sort((a, b) => b[1] - a[1]);
  return panel(
    "course",
    "Phases",
    facts([
      ["Last phase", one.phase],
      ["Attempts", count(one.attempts)],
      ["Time", seconds(one.wall_s)],
      ...phases.map(([name, value]): [string, string] => [`Phase ${name}`, seconds(value)]),
    ]),
  );
}

/** How often each input pattern occurred. The patterns that did not occur are listed together. */
function occurrencePanel(one: Case): HTMLElement | null {
  const all = Object.entries(one.occurrence ?? {});
  if (all.length === 0) return null;
  const absent = all.filter(([, value]) => value === 0).map(([name]) => name);
  const entries = all
    .filter(([, value]) => value !== 0)
    .map(([name, value]): [string, string] => [name, digits(value, 6)]);
  return panel(
    "occurrence",
    "Input patterns",
    facts(entries),
    absent.length > 0 ? h("p", { class: "muted none-of" }, `None of: ${absent.join(", ")}`) : null,
  );
}
