// Values, changes and nights of a history in words.
import { change, digits, seconds } from "./units.ts";
import { numberOf } from "./report.ts";
import type { Finding, Night, Unit } from "./report.ts";

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
  ratio: "time over that of the anchor",
  error_ratio: "error ratio",
};

export const SHORT_TITLE: Record<Unit, string> = {
  seconds: "time",
  ratio: "time over the anchor's",
  error_ratio: "error ratio",
};

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** "24 Nov 2026"; whatever else stands there is shown as it is. */
export function dayOf(night: Night): string {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})T/.exec(night.started) ?? [];
  return year ? `${Number(day)} ${MONTHS[Number(month) - 1] ?? month} ${year}` : night.started;
}

export const commitOf = (night: Night): string =>
  night.revision ? night.revision.slice(0, 12) + (night.dirty ? " (dirty)" : "") : "unknown";

const NEWS = 0.1; // error ratios below it count as this

/** Of a level that a rule has found. */
function levelText(value: number, unit: Unit): string {
  return unit === "error_ratio" && value <= NEWS * (1 + 1e-9) ? `at most ${digits(NEWS)}` : valueText(value, unit);
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
