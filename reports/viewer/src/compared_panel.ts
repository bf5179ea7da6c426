// What a comparison says of one case, on its page.
import { badge } from "./badges.ts";
import { change, plural, seconds } from "./units.ts";
import { confidenceText, intervalText, errorRatiosText, verdictBadge } from "./changes.ts";
import { h } from "./dom.ts";
import { numberOf } from "./report.ts";
import type { Comparison, Measure, ParityChange, ThroughputChange } from "./report.ts";

type Line = (Node | string)[];

/** As `vparity compare` prints it. */
const middle = (times: number[]): string => seconds([...times].sort((a, b) => a - b)[times.length >> 1]!);

function timesOf(
  { base_s, head_s, change: found, observed, reason }: ThroughputChange,
  criteria: Comparison["criteria"],
): Line {
  const times = base_s.length > 0 && head_s.length > 0 ? `base ${middle(base_s)}, head ${middle(head_s)}` : "";
  const by = found
    ? `${change(numberOf(found.ratio))}, ${confidenceText(criteria)} interval ${intervalText(found)} of ${plural(found.pairs, "pair")}`
    : observed === null
      ? ""
      : change(numberOf(observed));
  return [[times, by, reason ? `${reason.code}: ${reason.text}` : ""].filter(Boolean).join("; ")];
}

function errorRatiosOf(one: ParityChange): Line {
  const statuses = [one.base ? badge(one.base) : "not there", " → ", one.head ? badge(one.head) : "not there"];
  const error_ratios = errorRatiosText(one);
  return error_ratios ? [...statuses, `; error ratios: ${error_ratios}`] : statuses;
}

/** Nothing where it says nothing of the case. */
export function comparedPanel(
  { parity, throughput, criteria }: Comparison,
  measure: Measure,
  id: string,
): HTMLElement | null {
  const checked = measure === "parity" ? parity.find((one) => one.id === id) : undefined;
  const timed = measure === "throughput" ? throughput.find((one) => one.id === id) : undefined;
  const [word, line] = checked
    ? [checked.change, errorRatiosOf(checked)]
    : timed
      ? [timed.verdict, timesOf(timed, criteria)]
      : ["", []];
  if (!word) return null;
  return h(
    "section",
    { class: "panel", "aria-labelledby": "compared" },
    h("h2", { id: "compared" }, "Head against base ", verdictBadge(word)),
    h("p", {}, line),
  );
}
