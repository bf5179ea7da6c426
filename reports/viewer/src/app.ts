// Shows what the URL says, of data that have been read.
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
import { verdictOf } from "./verdict.ts";
import type { FilterBar } from "./filters.ts";
import type { Page } from "./report.ts";
import type { Row, Run } from "./model.ts";
import type { State, View } from "./state.ts";

const PAUSE_MS = 200;

export class App {
  private readonly runs: Run[];
  private readonly bars = new Map<string, FilterBar>();
  private pending: ReturnType<typeof setTimeout> | undefined;
  private state: State;

  constructor(
    private readonly data: Page,
    private readonly main: HTMLElement,
  ) {
    this.runs = runsOf(data);
    this.state = this.current();
    // Of links, of going back, and of a URL that was typed.
    window.addEventListener("popstate", () => {
      clearTimeout(this.pending);
      this.state = this.current();
      this.show(true);
    });
    this.show(false);
  }

  /** The URL's state; several runs begin with what changed between them, or their list. */
  private current(): State {
    const hash = location.hash || (this.data.comparison ? "#changes" : this.runs.length > 1 ? "#runs" : "#overview");
    const found = fromHash(hash);
    return { ...found, run: Math.min(found.run, Math.max(0, this.runs.length - 1)) };
  }

  /** `typed`: a key of many. The URL follows when the reader pauses, because browsers take their time with it. */
  private readonly change = (changes: Partial<State>, typed = false): void => {
    this.state = { ...this.state, ...changes };
    clearTimeout(this.pending);
    const hash = toHash(this.state);
    if (typed) this.pending = setTimeout(() => history.replaceState(null, "", hash), PAUSE_MS);
    else if (hash !== location.hash) history.pushState(null, "", hash);
    this.show(false);
  };

  /** `arrived`: somewhere else than before, so that reading begins at the top. */
  private show(arrived: boolean): void {
    const run = this.runs[this.state.run];
    this.navigation(run);
    if (!run) {
      this.main.replaceChildren(h("section", { class: "panel empty" }, h("h1", { tabindex: -1 }, "Empty"), h("p", {}, "This report holds no run.")));
      return;
    }
    document.title = `${verdictOf(run).word}: ${run.head.run.matrix} - vparity`;
    if (this.state.view === "cases" || this.state.view === "grid") this.listing(run);
    else this.main.replaceChildren(this.view(run));
    if (arrived) this.arrive();
  }

  private view(run: Run): HTMLElement {
    const { view } = this.state;
    if (view === "runs") return runsView(this.runs, this.state);
    if (view === "changes") return changesView(this.data, this.runs, this.state);
    if (view === "case") return casePage(run, this.findCase(run), this.state);
    return overview(run, this.state);
  }

  private measureOf(run: Run) {
    const { measure } = this.state;
    return measure && run.documents[measure] ? measure : (measuresOf(run)[0] ?? "parity");
  }

  private findCase(run: Run): Row | undefined {
    const wanted = run.rows.filter((row) => row.case.id === this.state.id);
    return wanted.find((row) => row.measure === this.measureOf(run)) ?? wanted[0];
  }

  /** Cases and grid share the filters, which keep their place and focus. */
  private listing(run: Run): void {
    const { state, change } = this;
    const measure = this.measureOf(run);
    const name = `${state.run} ${measure}`;
    const bar = this.bars.get(name) ?? filterBar(run, measure, state, change);
    this.bars.set(name, bar);
    const all = rowsOf(run, measure);
    const rows = filtered(all, state);
    const title = state.view === "grid" ? "Grid" : "Cases";
    const body = state.view === "grid" ? gridView(all, rows, measure, state, change) : casesView(rows, axesOf(all), measure, state, change);
    const wrapped = h("div", { class: "listing" }, body);
    const focus = focusIn(this.main);
    if (bar.element.isConnected && bar.element.parentElement?.dataset["view"] === state.view) {
      bar.element.parentElement.querySelector(".listing")!.replaceWith(wrapped);
    } else {
      this.main.replaceChildren(h("div", { class: "view", "data-view": state.view }, h("h1", { class: "view-title", tabindex: -1 }, title), bar.element, wrapped));
    }
    bar.update(state, rows.length);
    if (focus) wrapped.querySelector<HTMLElement>(focus)?.focus();
    say(`${plural(rows.length, "case")} shown`);
  }

  private arrive(): void {
    window.scrollTo(0, 0);
    this.main.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
  }

  private navigation(run: Run | undefined): void {
    const { state, runs } = this;
    const tab = (view: View, text: string, href: string) => h("li", {}, h("a", { href, "aria-current": state.view === view ? "page" : null }, text));
    const tabs = [
      this.data.comparison && tab("changes", "Changes", link(state, { view: "changes" })),
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
}

/** How to find again what has the focus, once the list is drawn anew. */
function focusIn(root: HTMLElement): string | null {
  const element = document.activeElement;
  if (!(element instanceof HTMLElement) || !root.contains(element)) return null;
  if (element.dataset["sort"]) return `[data-sort="${CSS.escape(element.dataset["sort"])}"]`;
  if (element.dataset["page"]) return `[data-page="${CSS.escape(element.dataset["page"])}"]`;
  return element.id.startsWith("grid-") ? `#${CSS.escape(element.id)}` : null;
}
