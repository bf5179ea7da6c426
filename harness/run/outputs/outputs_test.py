#!/usr/bin/env python3
"""junit.xml, summary.md and annotations as `vparity report` writes them, whatever the report holds.
Usage: outputs_test.py VPARITY SOURCE_DIR"""

import copy
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

import report_builder
from page_data import page_data

PROGRAM = os.path.abspath(sys.argv[1])
SOURCE = pathlib.Path(sys.argv[2])
GOLDEN = SOURCE / "harness" / "run" / "outputs" / "golden"

HOSTILE = ("</testcase>]]><!-- & \"'</details><script>alert(1)</script>\x00\x01\x1b[2J\x7f\u0085\ufffe|`a`*b*_c_[d](e)\\|"
           "\n::error::pwned\r\n## heading\n| a | b |\n<b>%0A\u202fжá日🎉")


def vparity(*words, **environment):
    surroundings = {name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")}
    return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, encoding="utf-8", timeout=60,
                          env={**surroundings, **environment})


def numbers_blanked(text):
    """Escaped characters (&#60;, %0A) stay."""
    return re.sub(r"&#\d+;|%0A|\b[0-9a-f]{12,}\b|\d+(\.\d+)?", lambda found: found[0] if found[0][0] in "&%" else "N", text)


# Strings of a fixed form, and the names that the schema lists.
FIXED = {"schema", "id", "key", "case", "status", "state", "phase", "code", "started", "finished", "fingerprint", "revision", "expiry",
         "known_failure"}


def with_hostile_strings(value):
    """A report with HOSTILE in the place of every string that may be anything."""
    if isinstance(value, dict):
        output = {"error_ratio"} <= set(value)
        return {member: inner if member in FIXED or output and member in ("name", "output") else with_hostile_strings(inner)
                for member, inner in value.items()}
    if isinstance(value, list):
        return [with_hostile_strings(inner) for inner in value]
    return HOSTILE if isinstance(value, str) else value


class Outputs(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def report(self, document, **environment):
        """The run's directory and standard output."""
        run = report_builder.write(self.folder / "run", document)
        result = vparity("report", run, **environment)
        self.assertEqual(result.returncode, 0, result.stderr)
        return run, result.stdout

    def suite(self, run):
        root = ElementTree.parse(run / "junit.xml").getroot()
        self.assertEqual((root.tag, [child.tag for child in root]), ("testsuites", ["testsuite"]))
        return root[0]


class Golden(Outputs):
    def compare(self, name, text):
        text = numbers_blanked(text)
        if os.environ.get("VPARITY_WRITE_GOLDEN"):
            (GOLDEN / name).write_text(text, encoding="utf-8")
        self.assertEqual(text, (GOLDEN / name).read_text(encoding="utf-8"))

    def test_every_status_in_every_output(self):
        run, stdout = self.report(report_builder.one_of_each(), GITHUB_ACTIONS="true")
        self.compare("junit.xml", (run / "junit.xml").read_text(encoding="utf-8"))
        self.compare("summary.md", (run / "summary.md").read_text(encoding="utf-8"))
        self.compare("stdout.txt", stdout.replace(str(run), "RUN").replace("RUN/report.html\n", ""))


class Junit(Outputs):
    """The rules of the schema that Ant's and Jenkins' readers share, and that of the counts."""

    REQUIRED = {"name", "package", "id", "timestamp", "hostname", "tests", "failures", "errors", "skipped", "time"}

    def check(self, run):
        suite = self.suite(run)
        self.assertEqual(set(suite.attrib), self.REQUIRED)
        self.assertRegex(suite.get("timestamp"), r"\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\Z")
        tags = [child.tag for child in suite]
        self.assertEqual(tags, ["properties", *["testcase"] * tags.count("testcase"), "system-out", "system-err"])
        cases = suite.findall("testcase")
        for case in cases:
            self.assertEqual(set(case.attrib), {"classname", "name", "time"})
            self.assertRegex(case.get("time"), r"\A\d+\.\d{3}\Z")
            self.assertLessEqual(len(case), 1)
            for outcome in case:
                self.assertIn(outcome.tag, ("failure", "error", "skipped"))
                self.assertEqual(set(outcome.attrib), {"message"} if outcome.tag == "skipped" else {"type", "message"})
        names = [case.get("name") for case in cases]
        self.assertEqual(len(set(names)), len(names))
        counted = {"tests": len(cases), "failures": len(suite.findall("testcase/failure")),
                   "errors": len(suite.findall("testcase/error")), "skipped": len(suite.findall("testcase/skipped"))}
        self.assertEqual({name: int(suite.get(name)) for name in counted}, counted)
        return suite

    def test_counts_and_names_agree_with_the_report(self):
        run, _ = self.report(report_builder.one_of_each())
        suite = self.check(run)
        # failed, untrusted, the expired entry; error, timeout, crashed, not_run; skipped, the known failure
        self.assertEqual([suite.get(name) for name in ("tests", "failures", "errors", "skipped")], ["10", "3", "4", "2"])

    def test_hostile_strings_stay_strings(self):
        document = with_hostile_strings(report_builder.one_of_each())
        for number, case in enumerate(document["cases"]):
            key = f",a={number}{HOSTILE.replace(',', '')},"
            case.update(key=key, id=report_builder.id_of(key))
        document["summary"] = report_builder.summary(document["cases"])
        run, _ = self.report(document)
        suite = self.check(run)
        expected = "".join("\ufffd" if c in "\x00\x01\x1b\x7f\u0085\ufffe" else c for c in HOSTILE)
        messages = [failure.get("message") for failure in suite.iter("error")]
        self.assertIn(f"code_of_crashed: {expected}", messages)


class Summary(Outputs):
    def test_begins_with_the_verdict(self):
        run, _ = self.report(report_builder.one_of_each())
        self.assertRegex((run / "summary.md").read_text(encoding="utf-8"),
                         r"\A# <code>example</code>: failed\n\n\*\*1 passed, 6 failed, 2 skipped\*\* \(exit code 1\)\n")

    def test_hostile_strings_are_neither_markdown_nor_html(self):
        document = with_hostile_strings(report_builder.one_of_each())
        run, _ = self.report(document)
        page = (run / "summary.md").read_text(encoding="utf-8")
        foreign = re.findall(r"<code>(.*?)</code>", page)
        self.assertTrue(any("alert" in code for code in foreign))
        for code in foreign:
            self.assertNotRegex(re.sub(r"&#\d+;", "", code), r"[<>&|`*_\[\]\\#!~$\x00-\x1f\x7f-\x9f]")
        own = re.sub(r"<code>.*?</code>", "X", page)
        self.assertNotRegex(own, "alert|pwned|heading|script")
        self.assertEqual(own.count("<details>"), own.count("</details>"))
        for table in re.findall(r"(?:^\|.*\n)+", own, re.M):
            self.assertEqual(len({line.count("|") for line in table.splitlines()}), 1, table)


class Annotations(Outputs):
    def test_none_elsewhere(self):
        for value in ("", "false", "1"):
            _, stdout = self.report(report_builder.one_of_each(), GITHUB_ACTIONS=value)
            self.assertNotIn("::", stdout)

    def test_hostile_strings_start_no_command_of_their_own(self):
        _, stdout = self.report(with_hostile_strings(report_builder.one_of_each()), GITHUB_ACTIONS="true")
        lines = stdout.splitlines()
        commands = [line for line in lines if line.lstrip().startswith("::")]
        self.assertEqual(len(commands), 7)
        for line in commands:
            self.assertTrue(line.startswith("::error title=vparity::"))
        self.assertEqual(lines[-1], "1 passed, 6 failed, 2 skipped")

    def test_nine_and_a_count(self):
        cases = [report_builder.case("failed", f",tp={tp},") for tp in range(1, 31)]
        _, stdout = self.report(report_builder.report(cases), GITHUB_ACTIONS="true")
        commands = [line for line in stdout.splitlines() if line.startswith("::")]
        self.assertEqual(len(commands), 10)
        self.assertIn("21 more", commands[-1])


class Reading(Outputs):
    """Damaged and foreign files are refused with their place, and nothing is written."""

    def refused(self, document, says):
        run = report_builder.write(self.folder / "run", document)
        result = vparity("report", run)
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        self.assertEqual(result.stdout, "")
        self.assertRegex(result.stderr, r"\Avparity: [^\n]*\n\Z")
        self.assertIn(f"{run}/parity.json", result.stderr)
        self.assertIn(says, result.stderr)
        self.assertFalse((run / "junit.xml").exists())

    def changed(self, *path, to):
        document = report_builder.one_of_each()
        inner = document
        for name in path[:-1]:
            inner = inner[name]
        inner[path[-1]] = to
        return document

    def test_truncated_empty_or_other_text(self):
        text = json.dumps(report_builder.one_of_each())
        self.refused(text[:-1], says=":1:")
        self.refused("", says=":1:1:")
        self.refused("[" * 100_000, says="nested")
        self.refused(text.replace('"seed": 7', '"seed": 7, "seed": 7'), says="/run: key \"seed\" stands here twice")

    def test_foreign_json(self):
        self.refused("[]", says="is no report")
        self.refused({"schema": "vparity.matrix/1"}, says='/schema: is "vparity.matrix/1", must be "vparity.parity/1"')

    def test_what_the_schema_forbids(self):
        self.refused(self.changed("cases", 0, "status", to="fine"), says='/cases/0/status: is "fine", must be one of')
        self.refused(self.changed("cases", 0, "statsu", to="x"), says='/cases/0: unknown key "statsu" (did you mean status?)')
        self.refused(self.changed("run", "seed", to="7"), says='/run/seed: must be of type integer, not "7"')
        self.refused(self.changed("run", "seed", to=7.0), says="/run/seed: must be of type integer, not 7.0")
        self.refused(self.changed("run", "seed", to=-1), says="/run/seed: -1 is less than 0")
        self.refused(self.changed("run", "shard", to={"index": 1, "count": 10**12}), says="/run/shard/count")
        self.refused(self.changed("run", "argv", to=[]), says="/run/argv: must have at least 1 elements")
        self.refused(self.changed("run", "id", to=""), says="/run/id: must not be empty")
        self.refused(self.changed("known_failures", 0, "match", to="*" * 4097), says="/known_failures/0/match: must be no longer than 4096")
        self.refused(self.changed("cases", 0, "outputs", 0, "error_ratio", to="NaN"), says="/cases/0/outputs/0/error_ratio")
        self.refused(self.changed("cases", 1, "reason", to=None), says="/cases/1/reason: must be of type object")
        self.refused(self.changed("cases", 1, "wall_s", to=1e999), says=":")

    def test_contradictions(self):
        document = report_builder.one_of_each()
        twice = copy.deepcopy(document)
        twice["cases"].append(twice["cases"][0])
        twice["summary"] = report_builder.summary(twice["cases"])
        self.refused(twice, says="/cases/9/id")
        self.refused(self.changed("cases", 0, "id", to="0" * 12), says="is not the id of its key")
        self.refused(self.changed("summary", "passed", to=2), says="/summary: does not agree with the cases")

    def test_long_strings_do_not_exhaust_the_stack(self):
        self.refused(self.changed("cases", 0, "key", to="," + "a" * 2_000_000), says="/cases/0/key")
        self.refused(self.changed("cases", 0, "key", to=",a=" + "x" * 2_000_000 + ","), says="is not the id of its key")

    def test_agrees_with_a_validator_that_is_not_ours(self):
        import jsonschema
        validator = jsonschema.Draft202012Validator(json.loads((SOURCE / "reports" / "schemas" / "parity.schema.json").read_text()))
        replacements = (None, True, -1, 3, "x", "", [], {}, [1], {"a": 1})
        document = report_builder.report([report_builder.case("passed")])
        for path in places(document):
            for number, replacement in enumerate(replacements):
                if (number + sum(map(ord, str(path)))) % 8:  # some of them will do
                    continue
                changed = copy.deepcopy(document)
                inner = changed
                for name in path[:-1]:
                    inner = inner[name]
                inner[path[-1]] = replacement
                if validator.is_valid(changed):
                    continue
                run = report_builder.write(self.folder / "run", changed)
                self.assertEqual(vparity("report", run).returncode, 2, (path, replacement))


def places(value, path=()):
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, member in members:
        yield (*path, name)
        yield from places(member, (*path, name))


class Command(Outputs):
    def test_several_runs_are_written_each_into_its_own_directory(self):
        runs = [report_builder.write(self.folder / name, report_builder.one_of_each()) for name in ("a", "b")]
        result = vparity("report", *runs)
        self.assertEqual(result.returncode, 0, result.stderr)
        for run in runs:
            self.suite(run)
            self.assertTrue((run / "summary.md").exists())

    def test_run_that_has_not_ended_is_named_as_such(self):
        (self.folder / "run").mkdir()
        (self.folder / "run" / "journal.jsonl").write_text("")
        result = vparity("report", self.folder / "run")
        self.assertEqual(result.returncode, 2)
        self.assertIn("the run has not ended; run --resume --out goes on with it", result.stderr)

    def test_elsewhere_leaves_the_run_alone_and_what_is_there_as_it_is(self):
        run = report_builder.write(self.folder / "run", report_builder.one_of_each())
        out = self.folder / "x" / "out"
        self.assertEqual(vparity("report", run, "--out", out).returncode, 0)
        self.assertEqual([path.name for path in run.iterdir()], ["parity.json"])
        (out / "junit.xml").write_text("mine")
        again = vparity("report", run, "--out", out)
        self.assertEqual(again.returncode, 2)
        self.assertIn("junit.xml exists already", again.stderr)
        self.assertEqual((out / "junit.xml").read_text(), "mine")

    def test_what_cannot_be_done_is_refused(self):
        run = report_builder.write(self.folder / "run", report_builder.one_of_each())
        for words, says in (((), "RUN is required"), ((self.folder / "none",), "none/parity.json: No such file"),
                            ((run, run, "--out", self.folder / "o"), "--out takes one run"),
                            ((run, "--html", "x.html", "--out", "x"), "--out and --html exclude each other"), ((run, "--outt", "x"), "did you mean --out?")):
            result = vparity("report", *words)
            self.assertEqual(result.returncode, 2, words)
            self.assertIn(says, result.stderr)


class Page(Outputs):
    """What the page shows is tested by reports/viewer/test."""

    def page(self, *runs):
        """What the page of these runs holds; nothing in a build without the viewer."""
        result = vparity("report", *runs, "--html", self.folder / "page.html")
        if result.returncode == 2:
            self.assertIn("no viewer", result.stderr)
            self.assertIn("Node.js", result.stderr)
            self.skipTest("this build has no viewer")
        self.assertEqual(result.returncode, 0, result.stderr)
        return page_data(self.folder / "page.html")

    def test_holds_the_reports_as_they_are(self):
        documents = [report_builder.one_of_each(), report_builder.report([report_builder.case("passed")])]
        runs = [report_builder.write(self.folder / f"run{i}", document) for i, document in enumerate(documents)]
        page = self.page(*runs)
        self.assertEqual([run["name"] for run in page["runs"]], list(map(str, runs)))
        self.assertEqual([run["parity"] for run in page["runs"]], documents)
        self.assertEqual([path.name for path in runs[0].iterdir()], ["parity.json"], "and nothing else is written")

    def test_hostile_strings_come_back(self):
        document = with_hostile_strings(report_builder.one_of_each())
        run = report_builder.write(self.folder / "run", document)
        shown = self.page(run)["runs"][0]["parity"]
        self.assertEqual(shown["run"]["matrix"], HOSTILE)
        self.assertEqual(shown["cases"], document["cases"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
