// The page's frame: navigation, title, and the view that the URL names.
import { casePage } from "./case_page.ts";
import { casesView } from "./cases.ts";
import { VERDICTS, changedOf, comparedPanel, measuresWithChanges } from "./changed_case.ts";
import { changesHead, changesView, noComparison, wordOf } from "./changes.ts";
import { h, say } from "./dom.ts";
import { filterBar, filtered } from "./filters.ts";
import { gridView } from "./grid.ts";
import { historyPanel, historyView, noHistory } from "./history.ts";
import { lastWeekPanel, newsOf } from "./last_week.ts";
import { axesOf, measuresOf, rowsOf, runsOf } from "./model.ts";
import { overview } from "./overview.ts";
import { STATUSES } from "./report.ts";
import { runsView } from "./runs_view.ts";
import { afresh, fromHash, link, toHash } from "./state.ts";
import { TRACK_STATES, Tracks } from "./tracks.ts";
import { count, plural } from "./units.ts";
import { nameOf, titleOf } from "./verdict.ts";
import type { Blocks } from "./blocks.ts";
import type { Changed, ChangedCase } from "./changed_case.ts";
import type { FilterBar, Filterable } from "./filters.ts";
import type { Run } from "./model.ts";
import type { Comparison, Measure, Page } from "./report.ts";
import type { State, View } from "./state.ts";

const PAUSE_MS = 200;

const some = (number: number, word: string): string => (number > 0 ? plural(number, word) : "");

/** A view with a bar of filters. */
interface Listing extends Filterable {
  bar: string; // name of the filter bar; each measure has its own bar
  head: HTMLElement[]; // shown above the filter bar
  body(): [number, HTMLElement]; // number of items after filtering, and their view
}

export class App {
  private readonly runs: Run[];
  private readonly bars = new Map<string, FilterBar>();
  private readonly tracks: Tracks | null;
  private changed: Changed | undefined;
  private pending: ReturnType<typeof setTimeout> | undefined;
  private state: State;

  constructor(
    private readonly data: Page,
    blocks: Blocks,
    private readonly main: HTMLElement,
  ) {
    this.runs = runsOf(data);
    this.tracks = data.history ? new Tracks(data.history, data, this.runs, blocks) : null;
    this.state = this.current();
    // Fired by links, by the back button and by a typed URL.
    window.addEventListener("popstate", () => {
      clearTimeout(this.pending);
      this.state = this.current();
      this.show(true);
    });
    this.show(false);
  }

  /** The URL's state. Without one, a page of several runs starts with their comparison or their list. */
  private current(): State {
    const hash = location.hash || (this.data.comparison ? "#changes" : this.runs.length > 1 ? "#runs" : "#overview");
    const found = fromHash(hash);
    return { ...found, run: found.run === null ? null : Math.min(found.run, Math.max(0, this.runs.length - 1)) };
  }

  /** Index of the run in the URL. Default: the first run of head in a comparison, otherwise the first run. */
  private runIndex(): number {
    return (
      this.state.run ??
      Math.max(
        0,
        this.runs.findIndex((run) => run.side === "head"),
      )
    );
  }

  /** `typed`: one keystroke of several. The URL is updated at a pause, because browsers are slow to update it. */
  private readonly change = (changes: Partial<State>, typed = false): void => {
    this.state = { ...this.state, ...changes };
    clearTimeout(this.pending);
    const hash = toHash(this.state);
    if (typed) this.pending = setTimeout(() => history.replaceState(null, "", hash), PAUSE_MS);
    else if (hash !== location.hash) history.pushState(null, "", hash);
    this.show(false);
  };

  /** `arrived`: the view is another one, so scroll to its top. */
  private show(arrived: boolean): void {
    const run = this.runs[this.runIndex()];
    this.navigation(run);
    if (!run) {
      this.main.replaceChildren(
        h(
          "section",
          { class: "panel empty" },
          h("h1", { tabindex: -1 }, "Empty"),
          h("p", {}, "This report contains no run."),
        ),
      );
      return;
    }
    document.title = titleOf(this.data, this.runs, run, this.state, this.tracks);
    const listing = this.listing(run);
    if (listing) this.list(listing);
    else this.main.replaceChildren(this.view(run));
    if (arrived) this.arrive();
  }

  private view(run: Run): HTMLElement {
    const { view } = this.state;
    if (view === "runs")
      return runsView(
        this.runs,
        this.state,
        this.data.comparison ? wordOf(this.data.comparison) : null,
        this.tracks && newsOf(this.tracks, this.state),
      );
    if (view === "changes") return noComparison();
    if (view === "history") return noHistory();
    if (view === "case") return this.casePage(run);
    return overview(run, this.state, this.tracks && newsOf(this.tracks, this.state));
  }

  private casePage(run: Run): HTMLElement {
    const { id, measure } = this.state;
    const wanted = run.rows.filter((row) => row.case.id === id);
    const row = wanted.find((one) => one.measure === this.measureOf(measuresOf(run))) ?? wanted[0];
    const track = this.tracks?.find(row?.measure ?? measure, id);
    const { comparison } = this.data;
    return casePage(
      run,
      row,
      this.state,
      this.tracks && track ? historyPanel(this.tracks, track) : null,
      comparison && row ? comparedPanel(comparison, row.measure, id) : null,
    );
  }

  private measureOf(measures: Measure[]): Measure {
    const { measure } = this.state;
    return measure && measures.includes(measure) ? measure : (measures[0] ?? "parity");
  }

  /** The filtered list of this view, or null. Cases and grid share a filter bar. */
  private listing(run: Run): Listing | null {
    const { view } = this.state;
    if (view === "cases" || view === "grid") return this.casesOrGrid(run, view);
    if (view === "changes" && this.data.comparison) return this.changes(this.data.comparison);
    if (view === "history" && this.tracks && this.tracks.all.length > 0) return this.histories(this.tracks);
    return null;
  }

  private casesOrGrid(run: Run, view: "cases" | "grid"): Listing {
    const { state, change } = this;
    const measures = measuresOf(run);
    const measure = this.measureOf(measures);
    const items = rowsOf(run, measure);
    return {
      bar: `cases ${this.runIndex()}`,
      head: [h("h1", { class: "view-title", tabindex: -1 }, view === "grid" ? "Grid" : "Cases")],
      statuses: [...STATUSES, "known"],
      noun: "case",
      measures,
      measure,
      items,
      body: () => {
        const rows = filtered(items, state);
        return [
          rows.length,
          view === "grid"
            ? gridView(items, rows, measure, state, change)
            : casesView(rows, axesOf(items), measure, state, change),
        ];
      },
    };
  }

  private changes(comparison: Comparison): Listing {
    const { state, change } = this;
    this.changed ??= changedOf(comparison, this.data.default_key, this.runs);
    const measures = measuresWithChanges(this.changed);
    const measure = this.measureOf(measures);
    const items: ChangedCase[] = this.changed[measure];
    return {
      bar: "changes",
      head: [changesHead(comparison, state)],
      statuses: VERDICTS,
      noun: "change",
      urgent: (one) =>
        comparison.summary[one]["regressed"] ? `${count(comparison.summary[one]["regressed"])} regressed` : "",
      measures,
      measure,
      items,
      body: () => {
        const shown = filtered(items, state);
        return [shown.length, changesView(comparison, measure, shown, state, change)];
      },
    };
  }

  private histories(tracks: Tracks): Listing {
    const { state, change } = this;
    const measure = this.measureOf(tracks.measures);
    const items = tracks.byMeasure[measure];
    return {
      bar: "history",
      head: [h("h1", { class: "view-title", tabindex: -1 }, "History"), lastWeekPanel(tracks, state, false)],
      statuses: TRACK_STATES,
      noun: "case",
      urgent: (one) => some(tracks.alarms(one), "alarm"),
      measures: tracks.measures,
      measure,
      items,
      body: () => {
        const shown = filtered(items, state);
        return [shown.length, historyView(tracks, shown, state, change)];
      },
    };
  }

  /** Redraws the list, but not the filter bar, which keeps its focus. */
  private list(listing: Listing): void {
    const { state, main } = this;
    const name = `${listing.bar} ${listing.measure}`;
    const bar = this.bars.get(name) ?? filterBar(listing, state, this.change);
    this.bars.set(name, bar);
    const [found, body] = listing.body();
    const wrapped = h("div", { class: "listing" }, body);
    const focus = focusIn(main);
    if (bar.element.isConnected && bar.element.parentElement?.dataset["view"] === state.view) {
      bar.element.parentElement.querySelector(".listing")!.replaceWith(wrapped);
    } else {
      main.replaceChildren(
        h(
          "div",
          { class: "view", "data-view": state.view },
          listing.head,
          listing.items.length > 0 && bar.element,
          wrapped,
        ),
      );
    }
    bar.update(state, found);
    if (focus) wrapped.querySelector<HTMLElement>(focus)?.focus();
    say(`${plural(found, listing.noun)} shown`);
  }

  private arrive(): void {
    window.scrollTo(0, 0);
    this.main.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
  }

  private navigation(run: Run | undefined): void {
    const { state, runs } = this;
    const tab = (view: View, text: string, href: string) =>
      h("li", {}, h("a", { href, "aria-current": state.view === view ? "page" : null }, text));
    // Links keep axes and text. They drop the status, whose values differ between views.
    const group = (view: View) => (view === "changes" || view === "history" ? view : "cases");
    const to = (view: View) =>
      link(state, { view, id: "", sort: "", ...(group(view) === group(state.view) ? {} : { status: [] }) });
    const tabs = [
      this.data.comparison && tab("changes", "Changes", to("changes")),
      runs.length > 1 && tab("runs", `Runs (${runs.length})`, link(state, { view: "runs" })),
      run && tab("overview", "Overview", afresh(state, { view: "overview" })),
      run && tab("cases", "Cases", to("cases")),
      run && tab("grid", "Grid", to("grid")),
      run && this.tracks && tab("history", "History", to("history")),
    ];
    const list = document.getElementById("tabs")!;
    const had = list.contains(document.activeElement) ? document.activeElement!.textContent : null;
    list.replaceChildren(...tabs.filter((one): one is HTMLLIElement => one instanceof HTMLElement));
    const current = list.querySelector<HTMLElement>("[aria-current]"); // the list may be wider than the window
    if (current)
      list.parentElement!.scrollLeft = current.offsetLeft + current.offsetWidth - list.parentElement!.clientWidth;
    if (had) for (const one of list.querySelectorAll("a")) if (one.textContent === had) one.focus();
    document.getElementById("run-name")!.textContent =
      run && runs.length > 1 && !["runs", "changes", "history"].includes(state.view) ? nameOf(run) : "";
  }
}

/** A selector that finds the focused element again after the list was redrawn. */
function focusIn(root: HTMLElement): string | null {
  const element = document.activeElement;
  if (!(element instanceof HTMLElement) || !root.contains(element)) return null;
  if (element.dataset["sort"]) return `[data-sort="${CSS.escape(element.dataset["sort"])}"]`;
  if (element.dataset["page"]) return `[data-page="${CSS.escape(element.dataset["page"])}"]`;
  return element.id.startsWith("grid-") ? `#${CSS.escape(element.id)}` : null;
}
