// What the tab says, and what several runs come to together.
import { count, plural } from "./units.ts";
import { verdictOf, withAlarms } from "./verdict.ts";
import { wordOf } from "./changes.ts";
import type { Page } from "./report.ts";
import type { Run } from "./model.ts";
import type { State } from "./state.ts";
import type { Tracks } from "./tracks.ts";
import type { Verdict } from "./verdict.ts";

/** "2 of 4 runs passed", and what became of the others. */
export function verdictOfRuns(runs: Run[], alarms = 0): Verdict {
  const each = runs.map((run) => verdictOf(run));
  const passed = each.filter((one) => one.mood === "good").length;
  const others = new Map<string, number>();
  for (const one of each) if (one.mood !== "good") others.set(one.word, (others.get(one.word) ?? 0) + 1);
  const rest = [...others].map(([word, number]) => `${count(number)} ${word.toLowerCase()}`).join(", ");
  const verdict: Verdict = {
    word: `${count(passed)} of ${plural(runs.length, "run")} passed`,
    mood: passed === runs.length ? "good" : each.some((one) => one.mood === "bad") ? "bad" : "open",
    sentence: rest && `Of the others: ${rest}.`,
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

/** What the view shows: a run, or what runs come to together. */
export const titleOf = (page: Page, runs: Run[], run: Run, state: State, tracks: Tracks | null): string =>
  `${subject(page, runs, run, state, tracks)} - vparity`;
