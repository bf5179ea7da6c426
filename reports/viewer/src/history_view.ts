// One line per case over all nights: what is wrong first, then what moved most in the last week.
import { change, percent } from "./units.ts";
import { commitOf, dayOf, stepText, valueText } from "./history_units.ts";
import { h } from "./dom.ts";
import { pagedTable } from "./paged_table.ts";
import { sparkline } from "./history_plots.ts";
import { trackBadge, trackLink } from "./last_week.ts";
import { TRACK_STATES, weekChange } from "./tracks.ts";
import type { Column } from "./paged_table.ts";
import type { State } from "./state.ts";
import type { Track, Tracks } from "./tracks.ts";

const orNull = (value: number | null): number | null => (value === null || Number.isNaN(value) ? null : value);

const settingOf = (track: Track): string => [track.variant, track.brief].filter(Boolean).join(" ");

function columnsOf(tracks: Tracks, state: State): Column<Track>[] {
  const found = (track: Track) => track.findings[0];
  return [
    {
      name: "status",
      title: "Status",
      by: (track) => TRACK_STATES.indexOf(track.status),
      cell: (track) => trackBadge(track.status),
    },
    { name: "id", title: "Case", by: (track) => track.id, cell: (track) => trackLink(track, state) },
    { name: "nights", title: `${tracks.nights.length} nights`, cell: (track) => sparkline(tracks, track) },
    {
      name: "now",
      title: "Last week",
      numeric: true,
      by: (track) => orNull(track.now),
      cell: (track) => valueText(track.now, track.unit),
    },
    {
      name: "change",
      title: "Change",
      numeric: true,
      by: (track) => orNull(weekChange(track)),
      cell: (track) => {
        const value = weekChange(track);
        return value === null ? "-" : change(value);
      },
    },
    {
      name: "since",
      title: "Found",
      by: (track) => found(track)?.night ?? null,
      cell: (track) => foundText(tracks, track),
    },
    {
      name: "setting",
      title: "Not at default",
      by: settingOf,
      cell: (track) => h("span", { class: "brief" }, settingOf(track)),
    },
  ];
}

function foundText(tracks: Tracks, track: Track): Node | string {
  const one = track.findings[0];
  const night = one && tracks.nights[one.night];
  if (one && night)
    return h("span", { class: "brief" }, `${dayOf(night)}, ${commitOf(night)}: ${stepText(one, track.unit)}`);
  return track.accepted
    ? h("span", { class: "brief" }, `accepted from ${track.accepted.from} on: ${track.accepted.reason}`)
    : "";
}

export function historyView(
  tracks: Tracks,
  shown: Track[],
  state: State,
  choose: (changes: Partial<State>) => void,
): HTMLElement {
  const columns = columnsOf(tracks, state);
  const list = pagedTable(
    {
      noun: "case",
      title: "History",
      items: shown,
      columns,
      marked: (track) => track.status === "alarm" || track.status === "failing",
    },
    state,
    choose,
  );
  return h("div", { class: "stack" }, list, legend());
}

const legend = (): HTMLElement =>
  h(
    "p",
    { class: "muted" },
    `Last week: the median of its nights, a time (over that of the anchor, where one ran beside it) or an error ratio; change: against the median of the ten nights before. Grey lines: another machine or build. Lines of error ratios go from 0 to the bound, which is drawn; those of times do not begin at 0, and what scatters by less than ${percent(0.05)} looks flat.`,
  );

export const noHistory = (): HTMLElement =>
  h(
    "div",
    { class: "view" },
    h(
      "section",
      { class: "panel empty" },
      h("h1", { tabindex: -1 }, "No history"),
      h(
        "p",
        {},
        "vparity report RUN --html FILE --history DIR makes a page with one; vparity history add DIR RUN adds a night.",
      ),
    ),
  );
