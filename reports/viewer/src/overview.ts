// The first screen: verdict, what ran where, failures first, error ratios by output.
import { caseLink, errorRatioBar, statusName } from "./case_summary.ts";
import { facts, h, table } from "./dom.ts";
import { complaints, failures, notTried } from "./failures.ts";
import { overviewGrid } from "./grid.ts";
import { measuresOf, rowsOf } from "./model.ts";
import { STATUSES, numberOf } from "./report.ts";
import { afresh } from "./state.ts";
import { bytes, count, digits, duration, percent, plural, rate } from "./units.ts";
import { verdictOf } from "./verdict.ts";
import type { Row, Run } from "./model.ts";
import type { Host, Measure } from "./report.ts";
import type { State } from "./state.ts";

/** From the history: number of open alarms, and what changed since last week as a line and as a panel. */
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

/** One link per status that occurs, to its cases. */
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
      [
        "Started",
        `${job.started.replace("T", " ").replace("Z", " UTC")}, took ${took < 1 ? "less than 1 s" : duration(took)}`,
      ],
      ["Host", run.head.hosts.length ? run.head.hosts.map(hostLine).join("; ") : "none: nothing ran"],
      ["Backend", `${valuesOf(run, "backend") || "-"} · ranks over ${valuesOf(run, "transport") || "-"}`],
      ["Provider", valuesOf(run, "provider") || "-"],
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

interface ErrorRatios {
  found: { error_ratio: number; row: Row }[]; // in ascending order
  naive: number[];
}

/** By output, in the order of the reports. Leaves out infinite ratios, and outputs with nothing to compare. */
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

/** The smallest value that is not exceeded by at least `share` of the values. */
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
    h("h2", { id: "outputs" }, "Error ratios by output"),
    h(
      "p",
      { class: "muted" },
      "An error ratio is the largest error divided by its bound; above 1 is a failure. Cases are those of parity and throughput in which the output has something to compare and a finite error ratio. Naive caught: share of cases in which naive arithmetic in the storage type exceeds the bound.",
    ),
    table(
      "Error ratios by output",
      ["Output", "Cases", "Least", "Median", "95th percentile", "Largest", "Case", "Naive caught"],
      rows,
      [1, 2, 3, 4, 7],
    ),
  );
}

/** The default grid of a measure. */
function small(run: Run, measure: Measure, state: State): HTMLElement | null {
  const rows = rowsOf(run, measure);
  const machine = measure === "throughput" ? run.documents.throughput?.machine : null;
  const picture = overviewGrid(rows, measure, { ...state, measure });
  if (!picture) return null;
  const memory = machine
    ? `Memory bandwidth of ${plural(machine.ranks, "rank")} together: read ${rate(machine.read_gbps * 1e9, "B/s")}, copy ${rate(machine.copy_gbps * 1e9, "B/s")}. Share of floor: the time that memory traffic alone needs, divided by the median time.`
    : "";
  const title = measure === "throughput" ? "Throughput at a glance" : "Error ratios at a glance";
  return h(
    "section",
    { class: "panel", "aria-labelledby": `glance-${measure}` },
    h("h2", { id: `glance-${measure}` }, title),
    memory && h("p", { class: "muted" }, memory),
    picture,
    h("p", { class: "after" }, h("a", { href: afresh(state, { view: "grid", measure }) }, "Other axes and colours")),
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
      ["Dropped combinations", count(run.head.summary.dropped)],
    ]),
  );
}
