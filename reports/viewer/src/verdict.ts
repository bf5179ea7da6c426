// The result of a run, or of several, in words; and the page's title.
import { wordOf } from "./changes.ts";
import { measuresOf } from "./model.ts";
import { count, plural } from "./units.ts";
import type { Run } from "./model.ts";
import type { Page } from "./report.ts";
import type { State } from "./state.ts";
import type { Tracks } from "./tracks.ts";

export interface Verdict {
  word: string;
  mood: "good" | "bad" | "open";
  sentence: string;
}

const tally = (run: Run, wanted: (status: string) => boolean): number =>
  run.rows.filter((row) => wanted(row.case.status)).length;

const MEANING: Record<number, string> = {
  0: "no failure",
  1: "a case failed, or the list of known failures is out of date",
  2: "the ranks refused the input",
  3: "ranks crashed, ended with an error or could not start",
  4: "a case reached its time limit",
  5: "the throughput figures are too noisy to compare",
  77: "nothing could run here",
  129: "interrupted by SIGHUP",
  130: "interrupted by SIGINT",
  143: "interrupted by SIGTERM",
};

/** Open alarms in the page's history make the verdict bad, because they fail the nightly job. */
export const verdictOf = (run: Run, alarms = 0): Verdict => withAlarms(verdictOfRun(run), alarms);

export function withAlarms(verdict: Verdict, alarms: number): Verdict {
  if (alarms === 0) return verdict;
  const [have, them] = alarms === 1 ? ["has one open alarm", "it"] : [`has ${plural(alarms, "open alarm")}`, "them"];
  const sentence = `${verdict.sentence} ${verdict.mood === "good" ? "But its" : "Its"} history ${have}; "vparity nightly" exits with 1 because of ${them}.`;
  return { word: `${verdict.word}, ${plural(alarms, "alarm")}`, mood: "bad", sentence };
}

function verdictOfRun(run: Run): Verdict {
  const { exit_code, complete } = run.head.run;
  const failing = run.rows.filter((row) => row.fails).length;
  const passed = tally(run, (status) => status === "passed");
  const skipped = tally(run, (status) => status === "skipped");
  const of = `of ${plural(run.rows.length, "case")}`;
  const ending =
    exit_code === undefined ? "" : ` Exit code ${exit_code}: ${MEANING[exit_code] ?? "see docs/command-line.md"}.`;
  if (run.rows.length === 0) return { word: "Empty", mood: "open", sentence: `The report contains no case.${ending}` };
  const missing = tally(run, (status) => status === "not_run");
  if (!complete || missing > 0) {
    const sentence = `The run did not finish: ${count(missing)} ${of} did not run, ${count(passed)} passed, ${count(failing)} failed.${ending}`;
    return { word: "Incomplete", mood: failing > 0 ? "bad" : "open", sentence };
  }
  if (failing > 0) return { word: "Failed", mood: "bad", sentence: `${count(failing)} ${of} failed.${ending}` };
  if (exit_code !== undefined && exit_code !== 0 && exit_code !== 77)
    return { word: "Failed", mood: "bad", sentence: `No case failed, but the run did.${ending}` };
  if (passed === 0)
    return {
      word: "Nothing ran",
      mood: "open",
      sentence: `All ${plural(skipped, "case")} were skipped: nothing was checked.${ending}`,
    };
  const beside = run.rows.length - passed - skipped;
  const known = beside > 0 ? ` ${plural(beside, "known failure")}.` : "";
  const left = skipped > 0 ? ` ${plural(skipped, "case")} skipped.` : "";
  const what = measuresOf(run).join(" and ");
  const all = passed === run.rows.length ? `All ${plural(passed, "case")} passed` : `${count(passed)} ${of} passed`;
  return { word: "Passed", mood: "good", sentence: `${all} (${what}).${left}${known}${ending}` };
}

/** "2 of 4 runs passed", and the verdicts of the other runs. */
export function verdictOfRuns(runs: Run[], alarms = 0): Verdict {
  const each = runs.map((run) => verdictOf(run));
  const passed = each.filter((one) => one.mood === "good").length;
  const others = new Map<string, number>();
  for (const one of each) if (one.mood !== "good") others.set(one.word, (others.get(one.word) ?? 0) + 1);
  const rest = [...others].map(([word, number]) => `${count(number)} ${word.toLowerCase()}`).join(", ");
  const verdict: Verdict = {
    word: `${count(passed)} of ${plural(runs.length, "run")} passed`,
    mood: passed === runs.length ? "good" : each.some((one) => one.mood === "bad") ? "bad" : "open",
    sentence: rest && `Other runs: ${rest}.`,
  };
  return withAlarms(verdict, alarms);
}

/** "head: NAME" on a page of a comparison. */
export const nameOf = (run: Run): string => (run.side ? `${run.side}: ${run.name}` : run.name);

function subject({ comparison }: Page, runs: Run[], run: Run, state: State, tracks: Tracks | null): string {
  const which = runs.length > 1 ? `${run.head.run.matrix}, ${nameOf(run)}` : run.head.run.matrix;
  if (state.view === "changes") return comparison ? `${wordOf(comparison)}: head against base` : "No comparison";
  if (state.view === "runs") return verdictOfRuns(runs, tracks?.alarms()).word;
  if (state.view === "history") return tracks ? `${plural(tracks.alarms(), "alarm")}: history` : "No history";
  if (state.view === "case") return `Case ${state.id}: ${which}`;
  return `${verdictOf(run, tracks?.alarms()).word}: ${which}`;
}

/** The title of the browser's tab. */
export const titleOf = (page: Page, runs: Run[], run: Run, state: State, tracks: Tracks | null): string =>
  `${subject(page, runs, run, state, tracks)} - vparity`;
