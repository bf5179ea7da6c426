// Reads the data, and shows what the URL says.
import { afresh, fromHash, link, toHash } from "./state.ts";
import { axesOf, measuresOf, rowsOf, runsOf } from "./model.ts";
import { casePage } from "./case_page.ts";
import { casesView } from "./cases.ts";
import { changesView } from "./changes.ts";
import { filterBar } from "./filters.ts";
import { filtered } from "./filter.ts";
import { gridView } from "./grid.ts";
import { h, say } from "./dom.ts";
import { overview, runsView } from "./overview.ts";
import { plural } from "./units.ts";
import { themeButton } from "./theme.ts";
import { verdictOf } from "./verdict.ts";
import type { FilterBar } from "./filters.ts";
import type { Page } from "./report.ts";
import type { Run } from "./model.ts";
import type { State, View } from "./state.ts";

const data = JSON.parse(document.getElementById("data")!.textContent!) as Page;
const runs: Run[] = runsOf(data);
const main = document.getElementById("main")!;
const bars = new Map<string, FilterBar>();
const PAUSE_MS = 200;
let pending: ReturnType<typeof setTimeout> | undefined;
let state = current();

/** The URL's state; several runs begin with what changed between them, or their list. */
function current(): State {
  const hash = location.hash || (data.comparison ? "#changes" : runs.length > 1 ? "#runs" : "#overview");
  const found = fromHash(hash);
  return { ...found, run: Math.min(found.run, Math.max(0, runs.length - 1)) };
}

/** `typed`: a key of many. The URL follows when the reader pauses, because browsers take their time with it. */
function change(changes: Partial<State>, typed = false): void {
  state = { ...state, ...changes };
  clearTimeout(pending);
  if (typed) pending = setTimeout(() => history.replaceState(null, "", toHash(state)), PAUSE_MS);
  else if (toHash(state) !== location.hash) history.pushState(null, "", toHash(state));
  show(false);
}

/** `arrived`: somewhere else than before, so that reading begins at the top. */
function show(arrived: boolean): void {
  const run = runs[state.run];
  navigation(run);
  if (!run) {
    main.replaceChildren(h("section", { class: "panel empty" }, h("h1", { tabindex: -1 }, "Empty"), h("p", {}, "This report holds no run.")));
    return;
  }
  document.title = `${verdictOf(run).word}: ${run.head.run.matrix} - vparity`;
  if (state.view === "overview") main.replaceChildren(overview(run, state));
  else if (state.view === "runs") main.replaceChildren(runsView(runs, state));
  else if (state.view === "changes") main.replaceChildren(changesView(data, runs, state));
  else if (state.view === "case") main.replaceChildren(casePage(run, findCase(run), state));
  else listing(run);
  if (arrived) arrive();
}

const measureOf = (run: Run) => (state.measure && run.documents[state.measure] ? state.measure : (measuresOf(run)[0] ?? "parity"));

function findCase(run: Run) {
  const wanted = run.rows.filter((row) => row.case.id === state.id);
  return wanted.find((row) => row.measure === measureOf(run)) ?? wanted[0];
}

/** Cases and grid share the filters, which keep their place and focus. */
function listing(run: Run): void {
  const measure = measureOf(run);
  const name = `${state.run} ${measure}`;
  const bar = bars.get(name) ?? filterBar(run, measure, state, change);
  bars.set(name, bar);
  const all = rowsOf(run, measure);
  const rows = filtered(all, state);
  const title = state.view === "grid" ? "Grid" : "Cases";
  const body = state.view === "grid" ? gridView(all, rows, measure, state, change) : casesView(rows, axesOf(all), measure, state, change);
  const wrapped = h("div", { class: "listing" }, body);
  const focus = focusIn(main);
  if (bar.element.isConnected && bar.element.parentElement?.dataset["view"] === state.view) {
    bar.element.parentElement.querySelector(".listing")!.replaceWith(wrapped);
  } else {
    main.replaceChildren(h("div", { class: "view", "data-view": state.view }, h("h1", { class: "view-title", tabindex: -1 }, title), bar.element, wrapped));
  }
  bar.update(state, rows.length);
  if (focus) wrapped.querySelector<HTMLElement>(focus)?.focus();
  say(`${plural(rows.length, "case")} shown`);
}

/** How to find again what has the focus, once the list is drawn anew. */
function focusIn(root: HTMLElement): string | null {
  const element = document.activeElement;
  if (!(element instanceof HTMLElement) || !root.contains(element)) return null;
  if (element.dataset["sort"]) return `[data-sort="${CSS.escape(element.dataset["sort"])}"]`;
  if (element.dataset["page"]) return `[data-page="${CSS.escape(element.dataset["page"])}"]`;
  return element.id.startsWith("grid-") ? `#${CSS.escape(element.id)}` : null;
}

function arrive(): void {
  window.scrollTo(0, 0);
  main.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
}

function navigation(run: Run | undefined): void {
  const tab = (view: View, text: string, href: string) => h("li", {}, h("a", { href, "aria-current": state.view === view ? "page" : null }, text));
  const tabs = [
    data.comparison && tab("changes", "Changes", link(state, { view: "changes" })),
    runs.length > 1 && tab("runs", `Runs (${runs.length})`, link(state, { view: "runs" })),
    run && tab("overview", "Overview", afresh(state, { view: "overview" })),
    run && tab("cases", "Cases", link(state, { view: "cases", id: "" })),
    run && tab("grid", "Grid", link(state, { view: "grid", id: "" })),
  ];
  const list = document.getElementById("tabs")!;
  const had = list.contains(document.activeElement) ? document.activeElement!.textContent : null;
  list.replaceChildren(...tabs.filter((one): one is HTMLLIElement => one instanceof HTMLElement));
  if (had) for (const one of list.querySelectorAll("a")) if (one.textContent === had) one.focus();
  document.getElementById("run-name")!.textContent = run && runs.length > 1 && state.view !== "runs" && state.view !== "changes" ? run.name : "";
}

document.getElementById("theme")!.replaceChildren(themeButton());
document.querySelector<HTMLAnchorElement>(".skip")!.addEventListener("click", (event) => {
  event.preventDefault(); // the hash is the state
  main.focus();
});
// Of links, of going back, and of a URL that was typed.
window.addEventListener("popstate", () => {
  clearTimeout(pending);
  state = current();
  show(true);
});
show(false);
performance.mark("shown");
