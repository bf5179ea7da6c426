// The state of the page, which the URL holds behind '#', so that a link shows the same view.
import type { Measure } from "./report.ts";

export const VIEWS = ["overview", "cases", "grid", "case", "runs", "changes", "history"] as const;

export type View = (typeof VIEWS)[number];

export interface State {
  view: View;
  run: number | null; // null: the default run (app.ts)
  measure: Measure | null; // null: the run's first measure
  status: string[]; // empty: all
  axes: Record<string, string[]>;
  query: string;
  sort: string; // name of a column; a leading "-" means descending
  page: number;
  rows: string; // of the grid
  columns: string;
  colour: string;
  id: string; // of the case
}

export const INITIAL: State = {
  view: "overview",
  run: null,
  measure: null,
  status: [],
  axes: {},
  query: "",
  sort: "",
  page: 1,
  rows: "",
  columns: "",
  colour: "",
  id: "",
};

const AXIS = "axis.";

const PAGED: View[] = ["cases", "changes", "history"];

export function toHash(state: State): string {
  const words = new URLSearchParams();
  if (state.run !== null) words.set("run", String(state.run + 1));
  if (state.measure) words.set("measure", state.measure);
  for (const status of state.status) words.append("status", status);
  for (const name of Object.keys(state.axes).sort())
    for (const value of state.axes[name] ?? []) words.append(AXIS + name, value);
  if (state.query) words.set("q", state.query);
  if (PAGED.includes(state.view)) {
    if (state.sort) words.set("sort", state.sort);
    if (state.page > 1) words.set("page", String(state.page));
  }
  if (state.view === "grid") {
    if (state.rows) words.set("rows", state.rows);
    if (state.columns) words.set("columns", state.columns);
    if (state.colour) words.set("colour", state.colour);
  }
  if (state.view === "case") words.set("id", state.id);
  const text = words.toString();
  return `#${state.view}${text && "?"}${text}`;
}

const whole = (text: string | null, least: number): number => {
  const value = Number(text);
  return Number.isSafeInteger(value) && value >= least ? value : least;
};

/** Ignores the parts of the hash that it does not understand. */
export function fromHash(hash: string): State {
  const [name = "", text = ""] = hash.replace(/^#/, "").split(/\?(.*)/s, 2);
  const words = new URLSearchParams(text);
  const measure = words.get("measure");
  const axes: State["axes"] = {};
  for (const [key, value] of words) if (key.startsWith(AXIS)) (axes[key.slice(AXIS.length)] ??= []).push(value);
  return {
    ...INITIAL,
    view: VIEWS.find((view) => view === name) ?? "overview",
    run: words.has("run") ? whole(words.get("run"), 1) - 1 : null,
    measure: measure === "parity" || measure === "throughput" ? measure : null,
    status: words.getAll("status"),
    axes,
    query: words.get("q") ?? "",
    sort: words.get("sort") ?? "",
    page: whole(words.get("page"), 1),
    rows: words.get("rows") ?? "",
    columns: words.get("columns") ?? "",
    colour: words.get("colour") ?? "",
    id: words.get("id") ?? "",
  };
}

/** A link to another view of the report, with the current filters unless `changes` sets them. */
export const link = (state: State, changes: Partial<State>): string => toHash({ ...state, page: 1, ...changes });

/** A link to a view of the same run, without filters. */
export const afresh = (state: State, changes: Partial<State>): string =>
  toHash({ ...INITIAL, run: state.run, measure: state.measure, ...changes });
