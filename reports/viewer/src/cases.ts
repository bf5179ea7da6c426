// The table of cases: sorted, a page at a time, so that ten thousand cases cost no more than fifty.
import { badgeOf, marginBar, shareBar } from "./badges.ts";
import { byValue, severity } from "./model.ts";
import { caseLink } from "./overview.ts";
import { count, rate, seconds } from "./units.ts";
import { h, scrollable } from "./dom.ts";
import type { Axis, Row } from "./model.ts";
import type { Measure } from "./report.ts";
import type { State } from "./state.ts";

const PAGE = 50;

interface Column {
  name: string;
  title: string;
  numeric?: boolean;
  /** What is sorted by; what is missing stands last in both directions. */
  by(row: Row): number | string | null;
  cell(row: Row, state: State): Node | string;
}

const axisColumn = (name: string): Column => ({
  name,
  title: name,
  by: (row) => row.values[name] ?? null,
  cell: (row) => row.values[name] ?? "",
});

const timed = (name: string, title: string, value: (row: Row) => number | undefined, cell: (value: number) => Node | string): Column => ({
  name,
  title,
  numeric: true,
  by: (row) => value(row) ?? null,
  cell: (row) => {
    const found = value(row);
    return found === undefined ? "-" : cell(found);
  },
});

const COLUMN_AXES = ["tp", "dp", "vocab", "dtype", "tokens", "op", "variant"];

export function columnsOf(measure: Measure, axes: Axis[]): Column[] {
  const varying = axes.map((axis) => axis.name);
  const own = COLUMN_AXES.filter((name) => varying.includes(name));
  const rest = (row: Row) => row.brief.split(" ").filter((pair) => !own.includes(pair.split("=")[0]!)).join(" ");
  const head: Column[] = [
    { name: "status", title: "Status", by: severity, cell: badgeOf },
    { name: "id", title: "Case", by: (row) => row.case.id, cell: caseLink },
    ...own.map(axisColumn),
    { name: "setting", title: "Not at default", by: rest, cell: (row) => h("span", { class: "brief" }, rest(row)) },
  ];
  if (measure === "throughput")
    return [
      ...head,
      timed("median", "Median", (row) => row.timing?.median_s, (value) => seconds(value)),
      timed("tokens_per_s", "Tokens/s", (row) => row.timing?.tokens_per_s, (value) => rate(value, "tok/s")),
      timed("share", "Share of floor", (row) => row.timing?.share_of_floor, shareBar),
    ];
  return [
    ...head,
    { name: "output", title: "Worst output", by: (row) => row.worst?.name ?? null, cell: (row) => row.worst?.name ?? "-" },
    timed("margin", "Margin", (row) => row.margin ?? undefined, marginBar),
    timed("time", "Time", (row) => row.case.wall_s, (value) => seconds(value)),
  ];
}

/** Rows come failures first, worst margin first: their order unless another is asked for. */
export function sorted(rows: Row[], columns: Column[], sort: string): Row[] {
  const descending = sort.startsWith("-");
  const column = columns.find((one) => one.name === sort.replace(/^-/, ""));
  if (!column) return rows;
  const keyed = rows.map((row) => ({ row, key: column.by(row) }));
  keyed.sort((a, b) => {
    if (a.key === null || b.key === null) return Number(a.key === null) - Number(b.key === null);
    const order = typeof a.key === "number" && typeof b.key === "number" ? a.key - b.key : byValue(String(a.key), String(b.key));
    return descending ? -order : order;
  });
  return keyed.map((one) => one.row);
}

export function casesView(
  rows: Row[],
  axes: Axis[],
  measure: Measure,
  state: State,
  change: (changes: Partial<State>) => void,
): HTMLElement {
  const columns = columnsOf(measure, axes);
  const all = sorted(rows, columns, state.sort);
  const pages = Math.max(1, Math.ceil(all.length / PAGE));
  const page = Math.min(state.page, pages);
  const shown = all.slice((page - 1) * PAGE, page * PAGE);
  if (rows.length === 0)
    return h("section", { class: "panel empty" }, h("p", {}, "No case matches. "), h("button", { type: "button", onclick: () => change({ status: [], axes: {}, query: "", page: 1 }) }, "Clear filters"));
  const body = shown.map((row) =>
    h("tr", { class: row.fails ? "fails" : null }, columns.map((column) => h("td", { class: column.numeric ? "num" : null }, column.cell(row, state)))),
  );
  const grid = h(
    "table",
    { class: "cases" },
    h("caption", { class: "visually-hidden" }, `Cases, page ${page} of ${pages}`),
    h("thead", {}, h("tr", {}, columns.map((column) => header(column, state, change)))),
    h("tbody", {}, body),
  );
  return h("section", { class: "panel", "aria-label": "Cases" }, scrollable("Table of cases", grid), pager(page, pages, all.length, change));
}

function header(column: Column, state: State, change: (changes: Partial<State>) => void): HTMLElement {
  const up = state.sort === column.name;
  const down = state.sort === `-${column.name}`;
  // First the order that is looked for: large numbers, small names.
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

function pager(page: number, pages: number, total: number, change: (changes: Partial<State>) => void): HTMLElement | null {
  if (pages === 1) return null;
  const step = (to: number, text: string) =>
    h("button", { type: "button", "data-page": text, disabled: to < 1 || to > pages, onclick: () => change({ page: to }) }, text);
  const from = (page - 1) * PAGE + 1;
  return h(
    "nav",
    { class: "pager", "aria-label": "Pages" },
    step(page - 1, "Previous"),
    h("span", {}, `${count(from)} to ${count(Math.min(total, from + PAGE - 1))} of ${count(total)}`),
    step(page + 1, "Next"),
  );
}
