// What did not pass: failures, known failures, cases that did not run, and cases that were skipped.
import { badgeOf, caseLink, whyOf } from "./case_summary.ts";
import { command, h, table } from "./dom.ts";
import { measuresOf } from "./model.ts";
import { STATUSES, isFailure } from "./report.ts";
import { afresh } from "./state.ts";
import { count, plural } from "./units.ts";
import type { Row, Run } from "./model.ts";
import type { Status } from "./report.ts";
import type { State } from "./state.ts";

const FAILURES_SHOWN = 25;

/** The list of known failures and its state: outdated entries fail the gate too. */
export function complaints(run: Run): HTMLElement | null {
  const known = run.head.known_failures ?? [];
  if (known.length === 0) return null;
  const states: Record<string, string> = {
    unused: "matches no case",
    known: "fails as expected",
    expired: "expired",
    unexpected_pass: "passes now",
  };
  return h(
    "section",
    { class: "panel", "aria-labelledby": "known" },
    h("h2", { id: "known" }, "Known failures"),
    table(
      "Known failures",
      ["Matches", "State", "Cases", "Expires", "Owner", "Issue", "Reason"],
      known.map((one) => [
        h("code", {}, one.match),
        states[one.state] ?? one.state,
        count(one.cases),
        one.expiry,
        one.owner,
        one.issue,
        one.reason,
      ]),
      [2],
    ),
  );
}

export function failures(run: Run, state: State): HTMLElement | null {
  const failing = run.rows.filter((row) => row.fails);
  if (failing.length === 0) return null;
  const shown = failing.slice(0, FAILURES_SHOWN);
  const more = failing.length - shown.length;
  const bad = STATUSES.filter((status) => isFailure(status) && status !== "not_run");
  return h(
    "section",
    { class: "panel failures", "aria-labelledby": "failures" },
    h("h2", { id: "failures" }, "Failures", h("span", { class: "muted" }, ` ${count(failing.length)}, worst first`)),
    h(
      "ol",
      { class: "cards" },
      shown.map((row) => h("li", {}, failureCard(row, state))),
    ),
    more > 0 &&
      h(
        "p",
        {},
        h(
          "a",
          { href: afresh(state, { view: "cases", status: [...bad] }) },
          `${count(more)} more in the table of cases`,
        ),
      ),
  );
}

function failureCard(row: Row, state: State): HTMLElement {
  return h(
    "article",
    { class: "card" },
    h("h3", {}, badgeOf(row), " ", caseLink(row, state), " ", h("span", { class: "brief" }, row.brief)),
    h("p", { class: "why" }, whyOf(row)),
    command(row.case.repeat),
  );
}

const REASONS_SHOWN = 8;

/** Cases with the same reason code and text. */
interface Group {
  code: string;
  text: string;
  rows: Row[];
}

function groupsOf(rows: Row[]): Group[] {
  const groups = new Map<string, Group>();
  for (const row of rows) {
    const { code, text } = row.case.reason ?? { code: "", text: "no reason given" };
    const name = JSON.stringify([code, text]);
    const group = groups.get(name);
    if (group) group.rows.push(row);
    else groups.set(name, { code, text, rows: [row] });
  }
  return [...groups.values()].sort((a, b) => b.rows.length - a.rows.length);
}

const linkTo = (run: Run, rows: Row[], status: Status, query: string, state: State, text: string): HTMLElement => {
  const measure = rows[0]!.measure === measuresOf(run)[0] ? null : rows[0]!.measure;
  return h("a", { href: afresh(state, { view: "cases", measure, status: [status], query }) }, text);
};

const reason = (run: Run, { code, text, rows }: Group, state: State): HTMLElement =>
  h(
    "li",
    {},
    `${plural(rows.length, "case")}: `,
    code && [linkTo(run, rows, "skipped", code, state, code), ": "],
    text,
  );

/** The number of cases that did not run, and one line per reason for skipped cases. */
export function notTried(run: Run, state: State): HTMLElement | null {
  const missing = run.rows.filter((row) => row.case.status === "not_run");
  const groups = groupsOf(run.rows.filter((row) => row.case.status === "skipped"));
  if (missing.length === 0 && groups.length === 0) return null;
  const more = groups.slice(REASONS_SHOWN);
  return h(
    "section",
    { class: "panel", "aria-labelledby": "not-tried" },
    h(
      "h2",
      { id: "not-tried" },
      groups.length === 0 ? "Did not run" : missing.length === 0 ? "Skipped" : "Did not run, or skipped",
    ),
    missing.length > 0 &&
      h(
        "p",
        {},
        "Did not run: ",
        linkTo(run, missing, "not_run", "", state, plural(missing.length, "case")),
        ", because the run ended before them.",
      ),
    groups.length > 0 &&
      h(
        "ul",
        { class: "found-list", "aria-label": "Reasons of skipped cases" },
        groups.slice(0, REASONS_SHOWN).map((group) => reason(run, group, state)),
      ),
    more.length > 0 &&
      h(
        "p",
        { class: "muted" },
        `${count(more.length)} more ${more.length === 1 ? "reason" : "reasons"}, of ${count(more.reduce((sum, group) => sum + group.rows.length, 0))} cases.`,
      ),
  );
}
