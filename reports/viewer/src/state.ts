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
  const parameters = new URLSearchParams();
  if (state.run !== null) parameters.set("run", String(state.run + 1));
  if (state.measure) parameters.set("measure", state.measure);
  for (const status of state.status) parameters.append("status", status);
  for (const name of Object.keys(state.axes).sort())
    for (const value of state.axes[name] ?? []) parameters.append(AXIS + name, value);
  if (state.query) parameters.set("q", state.query);
  if (PAGED.includes(state.view)) {
    if (state.sort) parameters.set("sort", state.sort);
    if (state.page > 1) parameters.set("page", String(state.page));
  }
  if (state.view === "grid") {
    if (state.rows) parameters.set("rows", state.rows);
    if (state.columns) parameters.set("columns", state.columns);
    if (state.colour) parameters.set("colour", state.colour);
  }
  if (state.view === "case") parameters.set("id", state.id);
  const text = parameters.toString();
  return `#${state.view}${text && "?"}${text}`;
}

const whole = (text: string | null, least: number): number => {
  const value = Number(text);
  return Number.isSafeInteger(value) && value >= least ? value : least;
};

/** Ignores the parts of the hash that it does not understand. */
export function fromHash(hash: string): State {
  const [name = "", text = ""] = hash.replace(/^#/, "").split(/\?(.*)/s, 2);
  const parameters = new URLSearchParams(text);
  const measure = parameters.get("measure");
  const axes: State["axes"] = {};
  for (const [key, value] of parameters) if (key.startsWith(AXIS)) (axes[key.slice(AXIS.length)] ??= []).push(value);
  return {
    ...INITIAL,
    view: VIEWS.find((view) => view === name) ?? "overview",
    run: parameters.has("run") ? whole(parameters.get("run"), 1) - 1 : null,
    measure: measure === "parity" || measure === "throughput" ? measure : null,
    status: parameters.getAll("status"),
    axes,
    query: parameters.get("q") ?? "",
    sort: parameters.get("sort") ?? "",
    page: whole(parameters.get("page"), 1),
    rows: parameters.get("rows") ?? "",
    columns: parameters.get("columns") ?? "",
    colour: parameters.get("colour") ?? "",
    id: parameters.get("id") ?? "",
  };
}

/** A link to another view of the report, with the current filters unless `changes` sets them. */
export const link = (state: State, changes: Partial<State>): string => toHash({ ...state, page: 1, ...changes });

/** A link to a view of the same run, without filters. */
export const afresh = (state: State, changes: Partial<State>): string =>
  toHash({ ...INITIAL, run: state.run, measure: state.measure, ...changes });
