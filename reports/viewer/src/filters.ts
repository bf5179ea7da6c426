// Which items of a list are shown, and the bar of filters above it: every axis, status, text.
import { statusName } from "./case_summary.ts";
import { h } from "./dom.ts";
import { axesOf } from "./model.ts";
import { count, plural } from "./units.ts";
import type { Item } from "./model.ts";
import type { Measure } from "./report.ts";
import type { State } from "./state.ts";

type Choice = Pick<State, "status" | "axes" | "query">;

/** Whether the item contains all words of the query. */
const containsAll = (item: Item, words: string[]): boolean => words.every((word) => item.text.includes(word));

const wordsOf = (query: string): string[] => query.toLowerCase().split(/\s+/).filter(Boolean);

export function filtered<T extends Item>(items: T[], choice: Choice, but?: string): T[] {
  const words = wordsOf(choice.query);
  const axes = Object.entries(choice.axes).filter(([name, values]) => values.length > 0 && name !== but);
  const status = but === "status" ? [] : choice.status;
  return items.filter(
    (item) =>
      (status.length === 0 || status.includes(item.status)) &&
      axes.every(([name, values]) => values.includes(item.values[name] ?? "")) &&
      (words.length === 0 || containsAll(item, words)),
  );
}

/** Number of items per value of an axis. The filter of that axis itself is ignored. */
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

const FIRST_FACETS = 11;

export interface FilterBar {
  element: HTMLElement;
  update(state: State, shown: number): void;
}

/** The items and filters of a view; two views may share a bar. */
export interface Filterable {
  items: Item[];
  statuses: readonly string[]; // in the order of the filter
  measures: Measure[];
  measure: Measure;
  noun: string;
  urgent?: (measure: Measure) => string; // a warning beside a measure's name, such as "2 alarms"
}

/** `change` with `typed` adds no entry to the browser's history. */
export function filterBar(
  list: Filterable,
  initial: State,
  change: (changes: Partial<State>, typed?: boolean) => void,
): FilterBar {
  let state = initial;
  const { items, noun } = list;
  const occur = counts(items, { status: [], axes: {}, query: "" }, "status");
  const statuses = list.statuses.filter((status) => occur.has(status));
  const facets = [
    facet(
      "status",
      statuses,
      statusName,
      items,
      () => state,
      (status) => change({ status, page: 1 }),
    ),
    ...axesOf(items).map(({ name, values }) =>
      facet(
        name,
        values,
        String,
        items,
        () => state,
        (chosen) => change({ axes: { ...state.axes, [name]: chosen }, page: 1 }),
      ),
    ),
  ];
  const search = h("input", {
    type: "search",
    id: "query",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "id, axis=value, reason",
    oninput: () => change({ query: search.value, page: 1 }, true),
  });
  const clear = h(
    "button",
    { type: "button", class: "clear", onclick: () => change({ status: [], axes: {}, query: "", page: 1 }) },
    "Clear filters",
  );
  const found = h("p", { class: "found" });
  const more = moreButton(facets.slice(FIRST_FACETS));
  const element = h(
    "section",
    { class: "panel filters", "aria-label": "Filters" },
    list.measures.length > 1 && measures(list, change),
    h(
      "label",
      { class: "search", for: "query" },
      h("span", { class: "visually-hidden" }, `Search in ${noun}s`),
      search,
    ),
    h("div", { class: "outcome" }, found, clear),
    h(
      "div",
      { class: "facets" },
      facets.map((one) => one.element),
      more?.element,
    ),
  );
  closeOthers(element);
  return {
    element,
    update(next, shown) {
      state = next;
      if (document.activeElement !== search) search.value = state.query;
      for (const one of facets) one.update();
      more?.update();
      found.textContent = `${count(shown)} of ${plural(items.length, noun)}`;
      clear.disabled = !isFiltered(state);
    },
  };
}

function measures(
  { measures, measure, urgent = () => "" }: Filterable,
  change: (changes: Partial<State>) => void,
): HTMLElement {
  const select = h(
    "select",
    {
      id: "measure",
      onchange: () =>
        change({
          measure: select.value as Measure,
          axes: {},
          status: [],
          sort: "",
          rows: "",
          columns: "",
          colour: "",
          page: 1,
        }),
    },
    measures.map((one) =>
      h("option", { value: one, selected: one === measure }, urgent(one) ? `${one} (${urgent(one)})` : one),
    ),
  );
  return h("label", { class: "field", for: "measure" }, "Measure ", select);
}

/** Shows and hides the rarely used axes. An axis with an active filter always shows. */
function moreButton(facets: Facet[]): { element: HTMLElement; update(): void } | null {
  if (facets.length < 2) return null;
  let all = false;
  const element = h("button", {
    type: "button",
    class: "more",
    onclick: () => {
      all = !all;
      update();
    },
  });
  const update = () => {
    for (const one of facets) one.element.hidden = !all && !one.element.classList.contains("active");
    element.textContent = all ? "Fewer axes" : `${facets.length} more axes`;
    element.setAttribute("aria-expanded", String(all));
  };
  return { element, update };
}

interface Facet {
  element: HTMLElement;
  update(): void;
}

function facet(
  name: string,
  values: string[],
  wording: (value: string) => string,
  items: Item[],
  state: () => State,
  choose: (values: string[]) => void,
): Facet {
  const chosen = () => (name === "status" ? state().status : (state().axes[name] ?? []));
  const summary = h("summary", {});
  const options = h("fieldset", {}, h("legend", { class: "visually-hidden" }, name));
  const boxes = values.map((value) => {
    const box = h("input", {
      type: "checkbox",
      onchange: () => choose(box.checked ? [...chosen(), value] : chosen().filter((one) => one !== value)),
    });
    const number = h("span", { class: "muted" });
    options.append(h("label", {}, box, " ", wording(value), " ", number));
    return { value, box, number };
  });
  const element = h("details", { class: "facet", name: "facet" }, summary, options);
  const update = () => {
    const values = chosen();
    const some = values.length > 0 ? values.map(wording).join(", ") : "all";
    element.classList.toggle("active", values.length > 0);
    summary.replaceChildren(h("span", { class: "facet-name" }, name), " ", h("span", { class: "facet-value" }, some));
    const found = element.open ? counts(items, state(), name) : null;
    for (const { value, box, number } of boxes) {
      box.checked = values.includes(value);
      if (found) number.textContent = count(found.get(value) ?? 0);
    }
  };
  element.addEventListener("toggle", update);
  return { element, update };
}

/** Keeps one list open at a time; Escape and a click elsewhere close it. */
function closeOthers(bar: HTMLElement): void {
  const open = () => bar.querySelectorAll<HTMLDetailsElement>("details.facet[open]");
  document.addEventListener("click", (event) => {
    for (const one of open()) if (!one.contains(event.target as Node)) one.open = false;
  });
  bar.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const one of open()) {
      one.open = false;
      one.querySelector("summary")?.focus();
    }
  });
}
