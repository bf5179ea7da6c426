// A table with sortable columns that shows one page at a time, so that ten thousand rows cost no more than fifty.
import { h, scrollable } from "./dom.ts";
import { byValue } from "./model.ts";
import { count } from "./units.ts";
import type { State } from "./state.ts";

const PAGE = 50;

type Change = (changes: Partial<State>) => void;

export interface Column<T> {
  name: string;
  title: string;
  numeric?: boolean;
  /** Sort key. Null sorts last in both directions. A column without `by` cannot be sorted. */
  by?(item: T): number | string | null;
  cell(item: T): Node | string | (Node | string)[];
}

export interface Listed<T> {
  noun: string; // name of an item
  title: string; // title of the table
  items: T[]; // in the default order
  columns: Column<T>[];
  marked?(item: T): boolean; // highlighted
}

export function sorted<T>(items: T[], columns: Column<T>[], sort: string): T[] {
  const descending = sort.startsWith("-");
  const by = columns.find((one) => one.name === sort.replace(/^-/, ""))?.by;
  if (!by) return items;
  const keyed = items.map((item) => ({ item, key: by(item) }));
  keyed.sort((a, b) => {
    if (a.key === null || b.key === null) return Number(a.key === null) - Number(b.key === null);
    const order =
      typeof a.key === "number" && typeof b.key === "number" ? a.key - b.key : byValue(String(a.key), String(b.key));
    return descending ? -order : order;
  });
  return keyed.map((one) => one.item);
}

export function pagedTable<T>(
  { noun, title, items, columns, marked }: Listed<T>,
  state: State,
  change: Change,
): HTMLElement {
  if (items.length === 0)
    return h(
      "section",
      { class: "panel empty" },
      h("p", {}, `No ${noun} matches. `),
      h(
        "button",
        { type: "button", onclick: () => change({ status: [], axes: {}, query: "", page: 1 }) },
        "Clear filters",
      ),
    );
  const pages = Math.max(1, Math.ceil(items.length / PAGE));
  const page = Math.min(state.page, pages);
  const shown = sorted(items, columns, state.sort).slice((page - 1) * PAGE, page * PAGE);
  const body = shown.map((item) =>
    h(
      "tr",
      { class: marked?.(item) ? "fails" : null },
      columns.map((column) => h("td", { class: column.numeric ? "num" : null }, column.cell(item))),
    ),
  );
  const grid = h(
    "table",
    { class: "cases" },
    h("caption", { class: "visually-hidden" }, `${title}, page ${page} of ${pages}`),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        columns.map((column) => header(column, state, change)),
      ),
    ),
    h("tbody", {}, body),
  );
  return h(
    "section",
    { class: "panel", "aria-label": title },
    scrollable(`Table of ${noun}s`, grid),
    pager(page, pages, items.length, change),
  );
}

function header<T>(column: Column<T>, state: State, change: Change): HTMLElement {
  if (!column.by) return h("th", { scope: "col", class: column.numeric ? "num" : null }, column.title);
  const up = state.sort === column.name;
  const down = state.sort === `-${column.name}`;
  // The first click gives the more useful order: numbers descending, text ascending.
  const first = column.numeric ? `-${column.name}` : column.name;
  const second = column.numeric ? column.name : `-${column.name}`;
  const next = state.sort === first ? second : state.sort === second ? "" : first;
  const arrow = up ? "▲" : down ? "▼" : "";
  return h(
    "th",
    { scope: "col", class: column.numeric ? "num" : null, "aria-sort": up ? "ascending" : down ? "descending" : null },
    h(
      "button",
      { type: "button", "data-sort": column.name, onclick: () => change({ sort: next, page: 1 }) },
      column.title,
      h("span", { class: "arrow", "aria-hidden": "true" }, arrow),
    ),
  );
}

function pager(page: number, pages: number, total: number, change: Change): HTMLElement | null {
  if (pages === 1) return null;
  const step = (to: number, text: string) =>
    h(
      "button",
      { type: "button", "data-page": text, disabled: to < 1 || to > pages, onclick: () => change({ page: to }) },
      text,
    );
  const from = (page - 1) * PAGE + 1;
  return h(
    "nav",
    { class: "pager", "aria-label": "Pages" },
    step(page - 1, "Previous"),
    h("span", {}, `${count(from)} to ${count(Math.min(total, from + PAGE - 1))} of ${count(total)}`),
    step(page + 1, "Next"),
  );
}
