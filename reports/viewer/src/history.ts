// The history: a list with one line per case over all nights, and a panel on the page of each case.
import { badge } from "./case_summary.ts";
import { h, table } from "./dom.ts";
import { historyPlot, sparkline } from "./history_plots.ts";
import { pagedTable } from "./paged_table.ts";
import {
  UNIT_TITLE,
  acceptedText,
  commitOf,
  dayOf,
  ruleText,
  stepText,
  trackBadge,
  trackLink,
  valueText,
} from "./track_summary.ts";
import { TRACK_STATES, weekChange } from "./tracks.ts";
import { change, digits, percent, seconds } from "./units.ts";
import type { Points } from "./blocks.ts";
import type { Column } from "./paged_table.ts";
import type { Finding } from "./report.ts";
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
      title: "Since",
      by: (track) => found(track)?.night ?? null,
      cell: (track) => foundText(tracks, track),
    },
    {
      name: "setting",
      title: "Non-default axes",
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
    `Last week: the median of the week's nights, an error ratio or a time; a time is relative to the anchor where one ran in the same night. Change: relative to the median of the ten nights before the week. Grey lines: another machine or build. Lines of error ratios range from 0 to the bound, which is drawn. Lines of times do not start at 0; variation below ${percent(0.05)} looks flat.`,
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
        h("code", {}, "vparity history add DIR RUN"),
        " adds a night to a history; ",
        h("code", {}, "vparity report RUN --html FILE --history DIR"),
        " writes a page with it.",
      ),
    ),
  );

/** A slow drift produces many findings; the others are folded away. */
const SHOWN = 3;

/** The points are unpacked later; the panel reserves their place. */
export function historyPanel(tracks: Tracks, track: Track): HTMLElement {
  const place = h("div", { class: "history-place", "aria-busy": "true" });
  tracks.points(track).then(
    (points) => fill(place, tracks, track, points),
    () =>
      place.replaceChildren(
        h("p", { class: "warning" }, "The history of this case cannot be read: the file is damaged."),
      ),
  );
  return h(
    "section",
    { class: "panel", "aria-labelledby": "history" },
    h("h2", { id: "history" }, "History ", trackBadge(track.status)),
    track.accepted && h("p", {}, `${acceptedText(track.accepted)}. Earlier nights raise no alarm.`),
    foundList(tracks, track, track.findings.slice(0, SHOWN)),
    track.findings.length > SHOWN &&
      h(
        "details",
        {},
        h("summary", {}, `${track.findings.length - SHOWN} earlier changes`),
        foundList(tracks, track, track.findings.slice(SHOWN)),
      ),
    place,
  );
}

const foundList = (tracks: Tracks, track: Track, findings: Finding[]): HTMLElement | null =>
  findings.length > 0
    ? h(
        "ul",
        { class: "found-list" },
        findings.map((one) => h("li", {}, findingText(tracks, track, one))),
      )
    : null;

function fill(place: HTMLElement, tracks: Tracks, track: Track, points: Points): void {
  const picture = historyPlot(tracks, track, points);
  place.removeAttribute("aria-busy");
  place.replaceChildren(
    picture ?? h("p", { class: "muted" }, "No night has a value that can be compared."),
    h("details", {}, h("summary", {}, "Table of the nights"), nightsTable(tracks, track, points)),
  );
}

function findingText(tracks: Tracks, track: Track, one: Finding): (Node | string)[] {
  const night = tracks.nights[one.night]!;
  const back = one.back === null ? undefined : tracks.nights[one.back];
  const state = one.open ? "open" : one.worse ? `over${back ? ` since ${dayOf(back)}` : ""}` : "better";
  return [
    h("strong", {}, dayOf(night)),
    `, commit ${commitOf(night)}: ${UNIT_TITLE[track.unit]} ${stepText(one, track.unit)} (${ruleText(one)}); ${state}`,
  ];
}

/** Newest night first. The first digits of the fingerprint tell machines apart. */
function nightsTable(tracks: Tracks, track: Track, points: Points): HTMLElement {
  const timed = track.measure === "throughput";
  const head = [
    "Night (UTC)",
    "Status",
    ...(timed
      ? ["Time", ...(points.anchor ? ["Anchor's time", "Relative to anchor"] : [])]
      : ["Error ratio", "Share of bound"]),
    "Commit",
    "Machine and build",
    "Run",
  ];
  const found = new Map(track.findings.map((one) => [one.night, one]));
  const rows = tracks.nights.map((night, i) => {
    const value = points.value[i]!;
    const anchor = points.anchor?.[i] ?? NaN;
    const one = found.get(i);
    return [
      night.started.replace("T", " ").replace(":00Z", "").replace("Z", ""),
      points.status[i] ? badge(points.status[i]!) : "missing",
      ...(timed
        ? [text(value, seconds), ...(points.anchor ? [text(anchor, seconds), valueText(value / anchor, "ratio")] : [])]
        : [text(value, digits), text(value, percent)]),
      commitOf(night),
      h("span", { class: "mono" }, night.fingerprint.slice(0, 8)),
      [
        `${night.run}${night.complete ? "" : ", did not finish"}`,
        one ? h("strong", {}, ` ${stepText(one, track.unit)}`) : "",
      ],
    ];
  });
  return table("Nights", head, rows.reverse(), timed ? [2, 3, 4].slice(0, points.anchor ? 3 : 1) : [2, 3]);
}

const text = (value: number, wording: (value: number) => string): string =>
  Number.isNaN(value) ? "-" : wording(value);
