// The history of one case, on its page.
import { commitOf, dayOf, ruleText, stepText, UNIT_TITLE, valueText } from "./history_units.ts";
import { badge } from "./badges.ts";
import { digits, percent, seconds } from "./units.ts";
import { h, table } from "./dom.ts";
import { historyPlot } from "./history_plots.ts";
import { acceptedText, trackBadge } from "./last_week.ts";
import type { Finding } from "./report.ts";
import type { Points } from "./points.ts";
import type { Track, Tracks } from "./tracks.ts";

/** A drift is found as many small steps. */
const SHOWN = 3;

/** The points come a moment later, into a place that is kept for them. */
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
  const state = one.open ? "open" : one.worse ? `over again${back ? ` since ${dayOf(back)}` : ""}` : "better";
  return [
    h("strong", {}, dayOf(night)),
    `, commit ${commitOf(night)}: ${UNIT_TITLE[track.unit]} ${stepText(one, track.unit)} (${ruleText(one)}); ${state}`,
  ];
}

/** The newest first. Two machines are told by the beginning of their fingerprints. */
function nightsTable(tracks: Tracks, track: Track, points: Points): HTMLElement {
  const timed = track.measure === "throughput";
  const head = [
    "Night (UTC)",
    "Status",
    ...(timed
      ? ["Time", ...(points.anchor ? ["Anchor's time", "Time over anchor's"] : [])]
      : ["Error ratio", "Of the bound"]),
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
