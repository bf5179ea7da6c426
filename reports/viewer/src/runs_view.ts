// The list of the runs on a page of several runs.
import { badge } from "./case_summary.ts";
import { h, table } from "./dom.ts";
import { afresh } from "./state.ts";
import { count, digits } from "./units.ts";
import { verdictOf, verdictOfRuns } from "./verdict.ts";
import type { Run } from "./model.ts";
import type { News } from "./overview.ts";
import type { State } from "./state.ts";

/** `compared`: the verdict of the comparison, if the page has one. */
export function runsView(runs: Run[], state: State, compared: string | null, news: News | null): HTMLElement {
  const all = verdictOfRuns(runs, news?.alarms);
  const rows = runs.map((run, i) => {
    const verdict = verdictOf(run);
    const worst = Math.max(-1, ...run.rows.map((row) => row.error_ratio ?? -1));
    const failing = run.rows.filter((row) => row.fails).length;
    return [
      h("a", { href: afresh({ ...state, run: i, measure: null }, { view: "overview" }) }, run.name),
      ...(compared ? [run.side ?? ""] : []),
      badge(
        verdict.word.toLowerCase(),
        verdict.mood === "good" ? "passed" : verdict.mood === "bad" ? "failed" : "not_run",
      ),
      count(run.rows.length),
      count(failing),
      worst < 0 ? "-" : digits(worst),
      run.head.run.started.replace("T", " ").replace("Z", ""),
      run.head.hosts.map((host) => host.name).join(", "),
      (run.head.provenance.git.revision ?? "unknown").slice(0, 12),
      run.head.fingerprint,
    ];
  });
  const columns = [
    "Run",
    ...(compared ? ["Side"] : []),
    "Verdict",
    "Cases",
    "Failures",
    "Worst error ratio",
    "Started (UTC)",
    "Host",
    "Commit",
    "Fingerprint",
  ];
  return h(
    "div",
    { class: "view" },
    h(
      "section",
      { class: `panel verdict ${all.mood}`, "aria-labelledby": "verdict" },
      h("h1", { id: "verdict", tabindex: -1 }, all.word),
      h(
        "p",
        { class: "sentence" },
        all.sentence,
        compared !== null && [
          " Head against base: ",
          h("a", { href: afresh(state, { view: "changes" }) }, compared),
          ".",
        ],
      ),
    ),
    h(
      "section",
      { class: "panel", "aria-labelledby": "runs" },
      h("h2", { id: "runs" }, "Runs"),
      table(
        "Runs in this report",
        columns,
        rows,
        ["Cases", "Failures", "Worst error ratio"].map((name) => columns.indexOf(name)),
      ),
    ),
    news?.panel ?? null,
  );
}
