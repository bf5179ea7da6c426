// Which rows are shown.
import type { Row } from "./model.ts";
import type { State } from "./state.ts";

type Choice = Pick<State, "status" | "axes" | "query">;

/** "known" stands for failures that somebody expects. */
export const statusOf = (row: Row): string => (row.case.known_failure !== undefined ? "known" : row.case.status);

/** All words of the query occur in the case's id, key or reason. */
const says = (row: Row, words: string[]): boolean => words.every((word) => row.text.includes(word));
const wordsOf = (query: string): string[] => query.toLowerCase().split(/\s+/).filter(Boolean);

export function filtered(rows: Row[], choice: Choice, but?: string): Row[] {
  const words = wordsOf(choice.query);
  const axes = Object.entries(choice.axes).filter(([name, values]) => values.length > 0 && name !== but);
  const status = but === "status" ? [] : choice.status;
  return rows.filter(
    (row) =>
      (status.length === 0 || status.includes(statusOf(row))) &&
      axes.every(([name, values]) => values.includes(row.values[name] ?? "")) &&
      (words.length === 0 || says(row, words)),
  );
}

/** How many rows have each value of an axis, whatever is chosen of that axis itself. */
export function counts(rows: Row[], choice: Choice, name: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const row of filtered(rows, choice, name)) {
    const value = name === "status" ? statusOf(row) : (row.values[name] ?? "");
    found.set(value, (found.get(value) ?? 0) + 1);
  }
  return found;
}

export const isFiltered = (choice: Choice): boolean =>
  choice.status.length > 0 || choice.query !== "" || Object.values(choice.axes).some((values) => values.length > 0);
