// The table of cases.
import { badgeOf, caseLink, errorRatioBar, shareBar } from "./case_summary.ts";
import { h } from "./dom.ts";
import { severity } from "./model.ts";
import { pagedTable } from "./paged_table.ts";
import { rate, seconds } from "./units.ts";
import type { Axis, Row } from "./model.ts";
import type { Column } from "./paged_table.ts";
import type { Measure } from "./report.ts";
import type { State } from "./state.ts";

const axisColumn = (name: string): Column<Row> => ({
  name,
  title: name,
  by: (row) => row.values[name] ?? null,
  cell: (row) => row.values[name] ?? "",
});

const timed = (
  name: string,
  title: string,
  value: (row: Row) => number | undefined,
  cell: (value: number) => Node | string,
): Column<Row> => ({
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

function columnsOf(measure: Measure, axes: Axis[], state: State): Column<Row>[] {
  const varying = axes.map((axis) => axis.name);
  const own = COLUMN_AXES.filter((name) => varying.includes(name));
  const rest = (row: Row) =>
    row.brief
      .split(" ")
      .filter((pair) => !own.includes(pair.split("=")[0]!))
      .join(" ");
  const head: Column<Row>[] = [
    { name: "status", title: "Status", by: severity, cell: badgeOf },
    { name: "id", title: "Case", by: (row) => row.case.id, cell: (row) => caseLink(row, state) },
    ...own.map(axisColumn),
    { name: "setting", title: "Non-default axes", by: rest, cell: (row) => h("span", { class: "brief" }, rest(row)) },
  ];
  if (measure === "throughput")
    return [
      ...head,
      timed(
        "median",
        "Median",
        (row) => row.timing?.median_s,
        (value) => seconds(value),
      ),
      timed(
        "tokens_per_s",
        "Tokens/s",
        (row) => row.timing?.tokens_per_s,
        (value) => rate(value, "tok/s"),
      ),
      timed("share", "Share of floor", (row) => row.timing?.share_of_floor, shareBar),
    ];
  return [
    ...head,
    {
      name: "output",
      title: "Worst output",
      by: (row) => row.worst?.name ?? null,
      cell: (row) => row.worst?.name ?? "-",
    },
    timed("error_ratio", "Error ratio", (row) => row.error_ratio ?? undefined, errorRatioBar),
    timed(
      "time",
      "Time",
      (row) => row.case.wall_s,
      (value) => seconds(value),
    ),
  ];
}

/** `rows` are in the default order: failures first, by error ratio. */
export function casesView(
  rows: Row[],
  axes: Axis[],
  measure: Measure,
  state: State,
  change: (changes: Partial<State>) => void,
): HTMLElement {
  const columns = columnsOf(measure, axes, state);
  return pagedTable({ noun: "case", title: "Cases", items: rows, columns, marked: (row) => row.fails }, state, change);
}
