// The grid: one axis per dimension, each field coloured by one statistic of its cases and linked to them.
import { h, scrollable } from "./dom.ts";
import { axesOf } from "./model.ts";
import { link } from "./state.ts";
import { change, count, digits, percent, plural, rate, median } from "./units.ts";
import type { Axis, Row } from "./model.ts";
import type { Measure } from "./report.ts";
import type { State } from "./state.ts";

type Step = [number, string]; // upper end, and text in the legend

interface Colour {
  name: string;
  title: string;
  measure: Measure;
  steps: Step[] | "logarithmic"; // logarithmic: from the smallest to the largest field
  good?: boolean; // large values are good: the last step is the best one
  value(rows: Row[]): number | null;
  text(value: number): string;
}

const largest = (values: number[]): number | null => (values.length ? values.reduce((a, b) => Math.max(a, b)) : null);

const tokens = (value: number): string => rate(value, "tok/s");

const COLOURS: Colour[] = [
  {
    name: "error_ratio",
    title: "worst error ratio",
    measure: "parity",
    steps: [
      [0.05, "to 0.05"],
      [0.1, "0.1"],
      [0.2, "0.2"],
      [0.5, "0.5"],
      [1, "1: the bound"],
    ],
    value: (rows) => largest(rows.flatMap((row) => (row.error_ratio === null ? [] : [row.error_ratio]))),
    text: (value) => digits(value, 2),
  },
  {
    name: "time",
    title: "longest case",
    measure: "parity",
    steps: [
      [0.01, "to 10 ms"],
      [0.1, "100 ms"],
      [1, "1 s"],
      [10, "10 s"],
      [Infinity, "more"],
    ],
    value: (rows) => largest(rows.map((row) => row.case.wall_s)),
    text: (value) => `${digits(value, 2)} s`,
  },
  {
    name: "share",
    title: "median share of floor",
    measure: "throughput",
    good: true,
    steps: [
      [0.2, "to 20 %"],
      [0.4, "40 %"],
      [0.6, "60 %"],
      [0.8, "80 %"],
      [Infinity, "more"],
    ],
    value: (rows) => median(rows.flatMap((row) => (row.timing ? [row.timing.share_of_floor] : []))),
    text: (value) => percent(value),
  },
  {
    name: "rate",
    title: "median tokens per second",
    measure: "throughput",
    good: true,
    steps: "logarithmic",
    value: (rows) => median(rows.flatMap((row) => (row.timing ? [row.timing.tokens_per_s] : []))),
    text: tokens,
  },
  {
    name: "change",
    title: "largest slowdown against base",
    measure: "throughput",
    steps: [
      [-0.02, "2 % faster or more"],
      [0.02, "within 2 %"],
      [0.05, "to 5 % slower"],
      [0.1, "10 %"],
      [Infinity, "more"],
    ],
    value: (rows) => largest(rows.flatMap((row) => (row.change === null ? [] : [row.change]))),
    text: change,
  },
];

/** The colours for which the run has values. */
const coloursOf = (rows: Row[], measure: Measure): Colour[] =>
  COLOURS.filter(
    (colour) => colour.measure === measure && (colour.name !== "change" || rows.some((row) => row.change !== null)),
  );

const WISHES: Record<Measure, [string, string]> = { parity: ["tp", "vocab"], throughput: ["variant", "tp"] };

/** The grid of the overview, with the default axes. Null if the run does not vary both. */
export function overviewGrid(rows: Row[], measure: Measure, state: State): HTMLElement | null {
  const axes = axesOf(rows);
  const [down, across] = WISHES[measure].map((name) => axes.find((axis) => axis.name === name));
  const colour = coloursOf(rows, measure)[0]!;
  if (!down || !across) return null;
  const grid = gridOf(rows, down, across, colour);
  return h("div", {}, scrollable("Grid", fields(grid, { ...state, status: [], axes: {}, query: "" })), legend(grid));
}

/** `all`: the cases that define the axes. `rows`: the cases after filtering. */
export function gridView(
  all: Row[],
  rows: Row[],
  measure: Measure,
  state: State,
  choose: (changes: Partial<State>) => void,
): HTMLElement {
  const axes = axesOf(all);
  if (axes.length < 2)
    return h(
      "section",
      { class: "panel empty" },
      h(
        "p",
        {},
        "A grid needs two axes with more than one value; this run has ",
        axes.length ? `one: ${axes[0]!.name}.` : "none.",
      ),
    );
  const pick = (name: string, other: string | undefined, wish: string): Axis => {
    const free = axes.filter((axis) => axis.name !== other);
    return free.find((axis) => axis.name === name) ?? free.find((axis) => axis.name === wish) ?? free[0]!;
  };
  const down = pick(state.rows, undefined, WISHES[measure][0]);
  const across = pick(state.columns, down.name, WISHES[measure][1]);
  const colours = coloursOf(all, measure);
  const colour = colours.find((one) => one.name === state.colour) ?? colours[0]!;
  const field = (
    label: string,
    id: string,
    current: string,
    options: [string, string][],
    set: (value: string) => void,
  ) => {
    const select = h(
      "select",
      { id, onchange: () => set(select.value) },
      options.map(([value, text]) => h("option", { value, selected: value === current }, text)),
    );
    return h("label", { class: "field", for: id }, `${label} `, select);
  };
  const grid = gridOf(rows, down, across, colour);
  const names = axes.map((axis): [string, string] => [axis.name, axis.name]);
  return h(
    "section",
    { class: "panel", "aria-label": "Grid" },
    h(
      "div",
      { class: "fields" },
      field("Rows", "grid-rows", down.name, names, (value) =>
        choose({ rows: value, columns: value === across.name ? down.name : across.name }),
      ),
      field("Columns", "grid-columns", across.name, names, (value) =>
        choose({ columns: value, rows: value === down.name ? across.name : down.name }),
      ),
      field(
        "Colour",
        "grid-colour",
        colour.name,
        colours.map((one) => [one.name, one.title]),
        (value) => choose({ colour: value }),
      ),
      legend(grid),
    ),
    scrollable("Grid", fields(grid, state)),
  );
}

/** The cases of each field, and the colour scale. */
interface Grid {
  down: Axis;
  across: Axis;
  colour: Colour;
  steps: Step[];
  found: Map<string, Row[]>;
}

const placeOf = (row: string | undefined, column: string | undefined): string => JSON.stringify([row, column]);

function gridOf(rows: Row[], down: Axis, across: Axis, colour: Colour): Grid {
  const found = new Map<string, Row[]>();
  for (const row of rows) {
    const place = placeOf(row.values[down.name], row.values[across.name]);
    const there = found.get(place);
    if (there) there.push(row);
    else found.set(place, [row]);
  }
  const values = () =>
    [...found.values()]
      .map((there) => colour.value(there))
      .filter((value): value is number => value !== null && value > 0);
  return {
    down,
    across,
    colour,
    found,
    steps: colour.steps === "logarithmic" ? logarithmic(values(), colour.text) : colour.steps,
  };
}

const LOG_STEPS = 5;

/** Five steps of equal ratio, because the values span orders of magnitude. */
function logarithmic(values: number[], text: (value: number) => string): Step[] {
  const least = values.reduce((a, b) => Math.min(a, b), Infinity);
  const most = values.reduce((a, b) => Math.max(a, b), 0);
  if (values.length === 0 || least === most) return [[Infinity, "all equal"]];
  const end = (i: number) => least * (most / least) ** (i / LOG_STEPS);
  return Array.from({ length: LOG_STEPS }, (_, i): Step =>
    i === LOG_STEPS - 1
      ? [Infinity, `to ${text(most)}`]
      : [end(i + 1), `${i === 0 ? `${text(least)} to ` : ""}${text(end(i + 1))}`],
  );
}

const look = ({ colour, steps }: Grid, step: number): string =>
  colour.good && step === steps.length - 1 ? "c-best" : `c${step}`;

function legend(grid: Grid): HTMLElement {
  const { colour, steps } = grid;
  const scale = colour.steps === "logarithmic" && steps.length > 1 && h("li", {}, "Logarithmic scale over this grid:");
  const missing = [...grid.found.values()].some((rows) => rows.some((row) => row.case.status === "not_run"));
  const swatches = steps.map(([, text], i) =>
    h("li", {}, h("span", { class: `swatch ${look(grid, i)}`, "aria-hidden": "true" }), text),
  );
  return h(
    "ul",
    { class: "legend", "aria-label": `Colours: ${colour.title}` },
    scale,
    swatches,
    h("li", {}, h("span", { class: "swatch bad", "aria-hidden": "true" }), "failing"),
    missing && h("li", {}, h("span", { class: "swatch unknown", "aria-hidden": "true" }), "not run"),
  );
}

function fields(grid: Grid, state: State): HTMLElement {
  const { down, across, colour, found } = grid;
  const body = down.values.map((value) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, value),
      across.values.map((other) => {
        const there = found.get(placeOf(value, other));
        return there
          ? h("td", {}, cell(there, { [down.name]: [value], [across.name]: [other] }, grid, state))
          : h("td", { class: "none" }, h("span", { class: "visually-hidden" }, "no case"));
      }),
    ),
  );
  return h(
    "table",
    { class: "grid" },
    h("caption", {}, `${colour.title} by ${down.name} (rows) and ${across.name} (columns)`),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, `${down.name} \\ ${across.name}`),
        across.values.map((value) => h("th", { scope: "col" }, value)),
      ),
    ),
    h("tbody", {}, body),
  );
}

function cell(rows: Row[], place: Record<string, string[]>, grid: Grid, state: State): HTMLElement {
  const { colour, steps } = grid;
  const value = colour.value(rows);
  const failing = rows.filter((row) => row.fails).length;
  const step = value === null ? -1 : steps.findIndex(([end]) => value <= end);
  const dress = failing > 0 || (value !== null && step < 0) ? "bad" : value === null ? "unknown" : look(grid, step);
  const text = value === null ? "-" : colour.text(value);
  const missing = rows.filter((row) => row.case.status === "not_run").length;
  const told = failing > 0 ? `✕ ${count(failing)}` : missing > 0 ? `○ ${count(missing)}` : count(rows.length);
  const changes: Partial<State> =
    rows.length === 1 ? { view: "case", id: rows[0]!.case.id } : { view: "cases", axes: { ...state.axes, ...place } };
  const where = Object.entries(place)
    .map(([name, [one]]) => `${name} ${one}`)
    .join(", ");
  return h(
    "a",
    {
      class: `cell ${dress}`,
      href: link(state, changes),
      "aria-label": `${where}: ${colour.title} ${text}, ${plural(rows.length, "case")}${failing ? `, ${count(failing)} failing` : ""}${missing ? `, ${count(missing)} not run` : ""}`,
      title: `${where}: ${plural(rows.length, "case")}`,
    },
    h("span", {}, text),
    h("small", {}, told),
  );
}
