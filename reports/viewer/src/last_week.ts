// What changed since last week: one or two sentences, and a list of changes.
import { statusName } from "./case_summary.ts";
import { command, h } from "./dom.ts";
import { isFailure } from "./report.ts";
import { afresh } from "./state.ts";
import {
  UNIT_TITLE,
  acceptedText,
  commitOf,
  dayOf,
  stepText,
  trackBadge,
  trackLink,
  valueText,
} from "./track_summary.ts";
import { isPast } from "./tracks.ts";
import { count, plural } from "./units.ts";
import type { News } from "./overview.ts";
import type { Finding, Status } from "./report.ts";
import type { State } from "./state.ts";
import type { Track, TrackState, Tracks } from "./tracks.ts";

const LISTED = 12;

/** What happened to a track in the last week. */
interface Change {
  track: Track;
  look: TrackState;
  finding: Finding | null;
}

const fails = (status: Status | null): boolean => status !== null && isFailure(status);

/** `first`: index of the week's first night. `day`: its date. */
function changeOf(track: Track, first: number, day: string): Change | null {
  const recent = track.findings.filter((one) => one.night >= first);
  const open = recent.find((one) => one.open);
  const back = track.findings.find((one) => one.back !== null && one.back >= first);
  if (open) return { track, look: "alarm", finding: open };
  if (fails(track.is) && !fails(track.was)) return { track, look: "failing", finding: null };
  if (back) return { track, look: "recovered", finding: back };
  if (recent[0]) return { track, look: "improved", finding: recent[0] };
  if (track.accepted && track.accepted.from >= day) return { track, look: "accepted", finding: null };
  return track.status === "fixed" ? { track, look: "fixed", finding: null } : null;
}

function changesOf(tracks: Tracks): Change[] {
  const { first } = tracks.history.week;
  const day = tracks.nights[first]?.started.slice(0, 10) ?? "";
  const found = tracks.all.flatMap((track) => changeOf(track, first, day) ?? []);
  return found.sort((a, b) => ORDER.indexOf(a.look) - ORDER.indexOf(b.look));
}

const ORDER: TrackState[] = ["failing", "alarm", "recovered", "accepted", "improved", "fixed"];

const some = (number: number, one: string, many: string): string[] =>
  number > 0 ? [`${count(number)} ${number === 1 ? one : many}`] : [];

/** Alarms that were open before the week began. */
function olderAlarms({ all, history: { week } }: Tracks): Change[] {
  const older = all.filter(
    (track) => track.status === "alarm" && track.findings.every((one) => !one.open || one.night < week.first),
  );
  return older.map((track) => ({ track, look: "alarm", finding: track.findings.find((one) => one.open) ?? null }));
}

function olderSentence(tracks: Tracks): string[] {
  const older = olderAlarms(tracks).length;
  return older > 0 ? [`${plural(older, "older alarm")} ${older === 1 ? "is" : "are"} still open.`] : [];
}

/** Without a night before the week there is nothing to compare with. */
export function sentences(tracks: Tracks): string[] {
  const { week, nights } = tracks.history;
  const last = nights[nights.length - 1];
  if (!last) return ["The history has no night yet."];
  const period =
    nights.length === 1
      ? `The history has one night, ${dayOf(last)}: nothing to compare it with yet.`
      : `The history has ${nights.length} nights, from ${dayOf(nights[0]!)} to ${dayOf(last)}.`;
  if (week.before === null)
    return [nights.length === 1 ? period : `${period} It begins within the last week.`, ...changes(tracks)];
  return [...changes(tracks), ...olderSentence(tracks), ...machines(tracks)];
}

function changes(tracks: Tracks): string[] {
  const news = changesOf(tracks);
  const number = (wanted: (one: Change) => boolean) => news.filter(wanted).length;
  const alarm = (measure: string) => (one: Change) => one.look === "alarm" && one.track.measure === measure;
  const state = (wanted: TrackState) => tracks.all.filter((track) => track.status === wanted && !isPast(track)).length;
  const parts = [
    ...some(
      number((one) => one.look === "failing"),
      "case newly fails",
      "cases newly fail",
    ),
    ...some(number(alarm("throughput")), "case became slower", "cases became slower"),
    ...some(number(alarm("parity")), "error ratio grew", "error ratios grew"),
    ...some(
      number((one) => one.look === "recovered"),
      "regression is over",
      "regressions are over",
    ),
    ...some(
      number((one) => one.look === "accepted"),
      "change is accepted",
      "changes are accepted",
    ),
    ...some(
      number((one) => one.look === "improved"),
      "case became better",
      "cases became better",
    ),
    ...some(
      number((one) => one.look === "fixed"),
      "case passes again",
      "cases pass again",
    ),
    ...some(state("new"), "case is new", "cases are new"),
    ...some(state("gone"), "case is gone", "cases are gone"),
  ];
  if (parts.length > 0) return [`${parts.join(", ")}.`];
  if (tracks.history.week.before === null) return [];
  return [
    `Nothing changed: no new alarm, and each of ${plural(tracks.all.filter((track) => !isPast(track)).length, "case")} has the same status as before.`,
  ];
}

/** Changes of the machine or build, which make times incomparable, and unfinished nights. */
function machines(tracks: Tracks): string[] {
  const { week, nights } = tracks.history;
  const recent = nights.slice(week.first);
  const moved = recent.filter((night, i) => night.fingerprint !== nights[week.first + i - 1]!.fingerprint);
  const partial = recent.filter((night) => !night.complete).length;
  return [
    ...(moved.length > 0
      ? [
          `The machine or the build changed on ${[...new Set(moved.map(dayOf))].join(", ")}: times from before and after are not compared.`,
        ]
      : []),
    ...(partial > 0 ? [`${plural(partial, "night")} of ${recent.length} did not finish.`] : []),
  ];
}

/** One line for the first screen. Its verdict already counts the alarms. */
function lastWeekLine(tracks: Tracks, state: State): HTMLElement {
  return h(
    "p",
    { class: "since" },
    h("strong", {}, "Since last week: "),
    [sentences(tracks)[0]!, ...olderSentence(tracks)].join(" "),
    " ",
    h("a", { href: afresh(state, { view: "history" }) }, "History"),
  );
}

/** The parts of the overview that come from the history. */
export const newsOf = (tracks: Tracks, state: State): News => ({
  alarms: tracks.alarms(),
  line: lastWeekLine(tracks, state),
  panel: lastWeekPanel(tracks, state, true),
});

function tooShort({ history: { judged, too_short } }: Tracks): string {
  if (too_short === 0) return "";
  return judged === 0
    ? " No case has enough nights for an alarm yet."
    : ` ${plural(too_short, "case")} ${too_short === 1 ? "has" : "have"} too few nights for an alarm.`;
}

/** `listed`: with a list of the changes. */
export function lastWeekPanel(tracks: Tracks, state: State, listed: boolean): HTMLElement {
  const { week, nights } = tracks.history;
  const news = changesOf(tracks);
  const older = olderAlarms(tracks);
  const from = week.before === null ? undefined : nights[week.before];
  const alarming = news.some((one) => one.look === "alarm" || one.look === "failing") || older.length > 0;
  return h(
    "section",
    { class: `panel news${alarming ? " bad" : ""}`, "aria-labelledby": "last-week" },
    h(
      "h2",
      { id: "last-week" },
      "Since last week",
      from && h("span", { class: "muted" }, ` ${plural(nights.length - week.first, "night")} since ${dayOf(from)}`),
    ),
    h("p", { class: "sentence" }, sentences(tracks).join(" "), tooShort(tracks)),
    tracks.history.notes.map((note) => h("p", { class: "warning" }, note)),
    listed &&
      news.length > 0 &&
      h(
        "ul",
        { class: "cards" },
        news.slice(0, LISTED).map((one) => h("li", {}, card(tracks, one, state))),
      ),
    listed &&
      older.length > 0 && [
        h("h3", {}, "Older, still open"),
        h(
          "ul",
          { class: "cards" },
          older.slice(0, LISTED).map((one) => h("li", {}, card(tracks, one, state))),
        ),
      ],
    listed &&
      h(
        "p",
        { class: "muted" },
        older.length > LISTED && `${count(older.length - LISTED)} more older alarms. `,
        news.length > LISTED && `${count(news.length - LISTED)} more changes. `,
        h("a", { href: afresh(state, { view: "history" }) }, "History of all cases"),
      ),
  );
}

function card(tracks: Tracks, { track, look, finding }: Change, state: State): HTMLElement {
  return h(
    "article",
    { class: "card" },
    h(
      "h3",
      {},
      trackBadge(look),
      " ",
      trackLink(track, state),
      track.variant ? ` ${track.variant}` : "",
      " ",
      h("span", { class: "brief" }, track.brief),
    ),
    h(
      "p",
      {},
      look === "accepted"
        ? acceptedText(track.accepted!)
        : finding
          ? findingText(tracks, track, finding)
          : `${statusText(track.was)} a week ago, ${statusText(track.is)} now`,
    ),
    (look === "alarm" || look === "failing") && track.repeat !== null && command(track.repeat),
  );
}

const statusText = (status: Status | null): string => (status ? statusName(status) : "absent");

function findingText(tracks: Tracks, track: Track, finding: Finding): string {
  const night = tracks.nights[finding.night]!;
  const back = finding.back === null ? undefined : tracks.nights[finding.back];
  const what = `${UNIT_TITLE[track.unit]} ${stepText(finding, track.unit)} since ${dayOf(night)}, commit ${commitOf(night)}`;
  return back
    ? `${what}; over since ${dayOf(back)}`
    : `${what}; ${valueText(track.newest, track.unit)} in its newest night`;
}
