// A track of the history in a few words: state, link, values, changes, nights.
import { badge } from "./case_summary.ts";
import { h } from "./dom.ts";
import { numberOf } from "./report.ts";
import { afresh } from "./state.ts";
import { change, digits, seconds } from "./units.ts";
import type { Accepted, Finding, Night, Unit } from "./report.ts";
import type { State } from "./state.ts";
import type { Track, TrackState } from "./tracks.ts";

/** The status whose colour and sign a state takes. */
export const TRACK_LOOK: Record<TrackState, string> = {
  alarm: "failed",
  failing: "failed",
  recovered: "skipped",
  accepted: "known",
  improved: "passed",
  fixed: "passed",
  new: "skipped",
  gone: "not_run",
  steady: "skipped",
};

export const trackBadge = (state: TrackState): HTMLElement => badge(state, TRACK_LOOK[state]);

export const trackLink = (track: Track, state: State): HTMLElement =>
  h("a", { class: "mono", href: afresh(state, { view: "case", measure: track.measure, id: track.id }) }, track.id);

export const acceptedText = ({ from, reason, commit }: Accepted): string =>
  `A change is accepted from ${from} on, commit ${commit}: ${reason}`;

export const valueText = (value: number, unit: Unit): string =>
  Number.isNaN(value)
    ? "-"
    : unit === "seconds"
      ? seconds(value)
      : unit === "ratio"
        ? `${value < 10 ? value.toFixed(3) : digits(value)} ×`
        : digits(value);

export const UNIT_TITLE: Record<Unit, string> = {
  seconds: "time",
  ratio: "time relative to the anchor",
  error_ratio: "error ratio",
};

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** "24 Nov 2026"; text that is not a date is shown unchanged. */
export function dayOf(night: Night): string {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})T/.exec(night.started) ?? [];
  return year ? `${Number(day)} ${MONTHS[Number(month) - 1] ?? month} ${year}` : night.started;
}

export const commitOf = (night: Night): string =>
  night.revision ? night.revision.slice(0, 12) + (night.dirty ? " (dirty)" : "") : "unknown";

/** Error ratios below this raise no alarm; the rules raise smaller levels to it. */
export const QUIET_ERROR_RATIO = 0.1;

/** A level that a rule has found. */
function levelText(value: number, unit: Unit): string {
  return unit === "error_ratio" && value <= QUIET_ERROR_RATIO * (1 + 1e-9)
    ? `at most ${digits(QUIET_ERROR_RATIO)}`
    : valueText(value, unit);
}

export const ruleText = (finding: Finding): string =>
  [
    finding.sudden_rise && "two nights in a row",
    finding.change_point && `change point, p ≤ ${digits(finding.p ?? NaN, 1)}`,
  ]
    .filter(Boolean)
    .join(", ");

/** "1.02 ms → 1.14 ms (+12 %)". */
export function stepText(finding: Finding, unit: Unit): string {
  const [before, after] = [numberOf(finding.before), numberOf(finding.after)];
  const ratio = before > 0 && Number.isFinite(after) ? ` (${change(after / before - 1)})` : "";
  return `${levelText(before, unit)} → ${levelText(after, unit)}${ratio}`;
}
