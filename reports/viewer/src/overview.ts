// The first screen: verdict, what ran where, failures first, how near each output came to its bound.
import { badgeOf, statusName } from "./badges.ts";
import { command, facts, h, table } from "./dom.ts";
import { bytes, count, digits, duration, exact, plural, rate } from "./units.ts";
import { notTried } from "./not_tried.ts";
import { overviewGrid } from "./grid.ts";
import { afresh } from "./state.ts";
import { isFailure, numberOf, STATUSES } from "./report.ts";
import { errorRatiosPanel } from "./error_ratios_panel.ts";
import { measuresOf, rowsOf } from "./model.ts";
import { verdictOf } from "./verdict.ts";
import type { Host, Measure, Output } from "./report.ts";
import type { Row, Run } from "./model.ts";
import type { State } from "./state.ts";

const FAILURES_SHOWN = 25;

/** Where the page has a history, its open alarms, and what changed since last week: in a line, and one by one. */
export interface News {
  alarms: number;
  line: HTMLElement;
  panel: HTMLElement;
}

export function overview(run: Run, state: State, news: News | null): HTMLElement {
  return h(
    "div",
    { class: "view" },
    h("div", { class: "first-screen" }, verdictPanel(run, state, news), provenance(run)),
    complaints(run),
    failures(run, state),
    notTried(run, state),
    news?.panel ?? null,
    small(run, "throughput", state),
    errorRatiosPanel(run, state),
    small(run, "parity", state),
    environment(run),
  );
}

function verdictPanel(run: Run, state: State, news: News | null): HTMLElement {
  const verdict = verdictOf(run, news?.alarms);
  return h(
    "section",
    { class: `panel verdict ${verdict.mood}`, "aria-labelledby": "verdict" },
    h(
      "p",
      { class: "eyebrow" },
      run.side ? `Matrix ${run.head.run.matrix}, a run of ${run.side}` : `Matrix ${run.head.run.matrix}`,
    ),
    h("h1", { id: "verdict", tabindex: -1 }, verdict.word),
    h("p", { class: "sentence" }, verdict.sentence),
    h("ul", { class: "counts", "aria-label": "Cases by status" }, countsOf(run, state)),
    worstOf(run, state),
    news?.line ?? null,
  );
}

/** A link to the cases of each status that occurs. */
function countsOf(run: Run, state: State): HTMLElement[] {
  return [...STATUSES, "known"].flatMap((status) => {
    const rows = run.rows.filter((row) => row.status === status);
    if (rows.length === 0) return [];
    const measure = rows[0]!.measure === measuresOf(run)[0] ? null : rows[0]!.measure;
    return h(
      "li",
      {},
      h(
        "a",
        { href: afresh(state, { view: "cases", measure, status: [status] }), class: `count s-${status}` },
        h("strong", {}, count(rows.length)),
        ` ${statusName(status)}`,
      ),
    );
  });
}

function worstOf(run: Run, state: State): HTMLElement | null {
  const worst = run.rows.reduce<Row | null>(
    (best, row) => ((row.error_ratio ?? -1) > (best?.error_ratio ?? -1) ? row : best),
    null,
  );
  if (!worst || worst.error_ratio === null) return null;
  return h(
    "p",
    { class: "worst" },
    "Worst error ratio ",
    h("strong", {}, digits(worst.error_ratio)),
    `, bound 1: ${worst.worst!.name} of `,
    caseLink(worst, state),
  );
}

export const caseLink = (row: Row, state: State): HTMLElement =>
  h("a", { class: "mono", href: afresh(state, { view: "case", measure: row.measure, id: row.case.id }) }, row.case.id);

const valuesOf = (run: Run, axis: string): string =>
  [...new Set(run.rows.map((row) => row.values[axis]).filter(Boolean))].join(", ");

function provenance(run: Run): HTMLElement {
  const { run: job, provenance: made } = run.head;
  const revision = made.git.revision;
  const took = (Date.parse(job.finished) - Date.parse(job.started)) / 1000;
  const shard = job.shard.count > 1 ? ` · shard ${job.shard.index} of ${job.shard.count}` : "";
  const dirty = made.git.dirty ? " with uncommitted changes" : "";
  return h(
    "section",
    { class: "panel", "aria-labelledby": "provenance" },
    h("h2", { id: "provenance" }, "What ran where"),
    facts([
      ["Started", `${job.started.replace("T", " ").replace("Z", " UTC")}, took ${duration(took)}`],
      ["Host", run.head.hosts.length ? run.head.hosts.map(hostLine).join("; ") : "none: nothing ran"],
      ["Backend", `${valuesOf(run, "backend") || "-"} · ranks over ${valuesOf(run, "transport") || "-"}`],
      ["Kernels", valuesOf(run, "provider") || "-"],
      ["Commit", revision ? [h("code", {}, revision.slice(0, 12)), dirty] : "unknown"],
      [
        "Build",
        `vparity ${made.version} · ${made.build.type} · ${made.build.compiler}${made.simd ? ` · ${made.simd}` : ""}`,
      ],
      ["Run", `${job.id} · seed ${job.seed}${shard}`],
    ]),
  );
}

const hostLine = (host: Host): string =>
  [
    host.name,
    host.cpu,
    plural(host.cores, "core"),
    bytes(host.memory_bytes),
    ...host.gpus.map((gpu) => `${gpu.name} (${bytes(gpu.memory_bytes)})`),
  ].join(" · ");

/** Known failures that are out of date fail the gate beside the cases. */
function complaints(run: Run): HTMLElement | null {
  const known = run.head.known_failures ?? [];
  if (known.length === 0) return null;
  const states: Record<string, string> = {
    unused: "matches no case",
    known: "fails as expected",
    expired: "expired",
    unexpected_pass: "passes now",
  };
  return h(
    "section",
    { class: "panel", "aria-labelledby": "known" },
    h("h2", { id: "known" }, "Known failures"),
    table(
      "Known failures",
      ["Matches", "State", "Cases", "Expires", "Owner", "Issue", "Reason"],
      known.map((one) => [
        h("code", {}, one.match),
        states[one.state] ?? one.state,
        count(one.cases),
        one.expiry,
        one.owner,
        one.issue,
        one.reason,
      ]),
      [2],
    ),
  );
}

function failures(run: Run, state: State): HTMLElement | null {
  const failing = run.rows.filter((row) => row.fails);
  if (failing.length === 0) return null;
  const shown = failing.slice(0, FAILURES_SHOWN);
  const more = failing.length - shown.length;
  const bad = STATUSES.filter((status) => isFailure(status) && status !== "not_run");
  return h(
    "section",
    { class: "panel failures", "aria-labelledby": "failures" },
    h("h2", { id: "failures" }, "Failures", h("span", { class: "muted" }, ` ${count(failing.length)}, worst first`)),
    h(
      "ol",
      { class: "cards" },
      shown.map((row) => h("li", {}, failureCard(row, state))),
    ),
    more > 0 &&
      h(
        "p",
        {},
        h(
          "a",
          { href: afresh(state, { view: "cases", status: [...bad] }) },
          `${count(more)} more in the table of cases`,
        ),
      ),
  );
}

function failureCard(row: Row, state: State): HTMLElement {
  return h(
    "article",
    { class: "card" },
    h("h3", {}, badgeOf(row), " ", caseLink(row, state), " ", h("span", { class: "brief" }, row.brief)),
    h("p", { class: "why" }, whyOf(row)),
    command(row.case.repeat),
  );
}

/** What is wrong with a case: the worst element of the worst output, invariants, or the reason. */
export function whyOf(row: Row): (Node | string)[] {
  const parts: (Node | string)[] = [];
  const worst = row.worst;
  if (worst && row.error_ratio !== null && !(row.error_ratio <= 1)) parts.push(...elementOf(worst));
  for (const one of row.case.invariants ?? [])
    if (!one.ok)
      parts.push(
        parts.length ? "; " : "",
        h("strong", {}, one.name),
        ` is ${digits(numberOf(one.value), 4)}, may be ${digits(numberOf(one.bound), 4)}`,
      );
  if (row.case.rank_agreement === false)
    parts.push(parts.length ? "; " : "", "replicated results differ between ranks");
  if (row.case.inputs_unchanged === false) parts.push(parts.length ? "; " : "", "inputs were changed");
  if (parts.length === 0 && row.case.reason) {
    const phase = row.case.phase === "done" || row.case.phase === "plan" ? "" : ` (in ${row.case.phase})`;
    parts.push(h("strong", {}, row.case.reason.code), `${phase}: ${row.case.reason.text}`);
  }
  return parts;
}

function elementOf(output: Output): (Node | string)[] {
  const parts: (Node | string)[] = [
    h("strong", {}, output.name),
    ": error ratio ",
    h("strong", { class: "bad-text" }, digits(numberOf(output.error_ratio), 4)),
    ", bound 1",
  ];
  const at = output.worst;
  if (at)
    parts.push(
      `; row ${at.row}, column ${at.column}, rank ${at.rank}: expected `,
      h("code", {}, exact(numberOf(at.expected))),
      ", actual ",
      h("code", {}, exact(numberOf(at.actual))),
    );
  parts.push(`; ${count(output.mismatches)} of ${count(output.checked)} elements outside`);
  return parts;
}

/** The two axes that are asked for first, and what memory allows. */
function small(run: Run, measure: Measure, state: State): HTMLElement | null {
  const rows = rowsOf(run, measure);
  const machine = measure === "throughput" ? run.documents.throughput?.machine : null;
  const picture = overviewGrid(rows, measure, { ...state, measure });
  if (!picture) return null;
  const memory = machine
    ? `Memory, ${plural(machine.ranks, "rank")} together: read ${rate(machine.read_gbps * 1e9, "B/s")}, copy ${rate(machine.copy_gbps * 1e9, "B/s")}. Share of floor: the time that memory alone would need, divided by the median. `
    : "";
  const title = measure === "throughput" ? "Throughput at a glance" : "Error ratios at a glance";
  return h(
    "section",
    { class: "panel", "aria-labelledby": `glance-${measure}` },
    h("h2", { id: `glance-${measure}` }, title),
    h(
      "p",
      { class: "muted" },
      memory,
      h("a", { href: afresh(state, { view: "grid", measure }) }, "Other axes and colours"),
    ),
    picture,
  );
}

function environment(run: Run): HTMLElement {
  const { provenance: made, run: job } = run.head;
  return h(
    "details",
    { class: "panel" },
    h("summary", {}, h("h2", {}, "Build and environment")),
    facts([
      ["Command", h("code", {}, job.argv.join(" "))],
      ["Commit", made.git.revision ?? "unknown"],
      ["Compiler flags", h("code", {}, made.build.flags)],
      ["Fingerprint", h("code", {}, run.head.fingerprint)],
      ...Object.entries(made.libraries).map(([name, text]): [string, string] => [name, text]),
      ...run.head.hosts.flatMap((host) =>
        Object.entries(host.environment).map(([name, text]): [string, string] => [`${host.name}: ${name}`, text]),
      ),
      ["Points that are no case", count(run.head.summary.dropped)],
    ]),
  );
}
