// Which items of a list are shown.
import type { State } from "./state.ts";

/** What the filters need to know of a case, a change or a series. */
export interface Item {
  status: string;
  values: Record<string, string>; // by axis
  text: string; // what a search looks at
}

type Choice = Pick<State, "status" | "axes" | "query">;

/** All words of the query occur in it. */
const says = (item: Item, words: string[]): boolean => words.every((word) => item.text.includes(word));
const wordsOf = (query: string): string[] => query.toLowerCase().split(/\s+/).filter(Boolean);

export function filtered<T extends Item>(items: T[], choice: Choice, but?: string): T[] {
  const words = wordsOf(choice.query);
  const axes = Object.entries(choice.axes).filter(([name, values]) => values.length > 0 && name !== but);
  const status = but === "status" ? [] : choice.status;
  return items.filter(
    (item) =>
      (status.length === 0 || status.includes(item.status)) &&
      axes.every(([name, values]) => values.includes(item.values[name] ?? "")) &&
      (words.length === 0 || says(item, words)),
  );
}

/** How many have each value of an axis, whatever is chosen of that axis itself. */
export function counts(items: Item[], choice: Choice, name: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const item of filtered(items, choice, name)) {
    const value = name === "status" ? item.status : (item.values[name] ?? "");
    found.set(value, (found.get(value) ?? 0) + 1);
  }
  return found;
}

export const isFiltered = (choice: Choice): boolean =>
  choice.status.length > 0 || choice.query !== "" || Object.values(choice.axes).some((values) => values.length > 0);
