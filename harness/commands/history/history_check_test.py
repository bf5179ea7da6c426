#!/usr/bin/env python3
"""`vparity history check` as a user meets it. Usage: history_check_test.py VPARITY"""
import datetime
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import jsonschema

import report_builder
from throughput_case import timed, write_run

PROGRAM = sys.argv[1]
SCHEMA = json.loads(subprocess.run([PROGRAM, "schema", "history-check"], capture_output=True, check=True).stdout)
ACCEPTED_SCHEMA = json.loads(subprocess.run([PROGRAM, "schema", "accepted-changes"], capture_output=True, check=True).stdout)
FIRST = datetime.date(2026, 1, 1)
SLOWER = ",dp=1,tp=2,vocab=2000,"


def vparity(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=60)


def day(number):
    return str(FIRST + datetime.timedelta(days=number))


class HistoryCheck(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.history = self.folder / "history"
        self.nights = 0

    def night(self, seconds, error_ratio=0.2, repeat="vparity run m.json --case x"):
        """Two timed cases, of which the second takes so long; one of parity."""
        name = f"night{self.nights}"
        run = write_run(self.folder / name, name, [timed(1000, 0.005, repeat=repeat), timed(2000, seconds, repeat=repeat)])
        parity = report_builder.case("passed", ",dp=1,tp=4,vocab=1000,", repeat=repeat)
        parity["outputs"][0]["error_ratio"] = error_ratio
        document = report_builder.report([parity])
        document["run"]["id"] = name
        report_builder.write(run, document)
        for file in run.iterdir():
            document = json.loads(file.read_text())
            document["run"]["started"] = day(self.nights) + "T02:15:00Z"
            document["provenance"]["git"]["revision"] = f"{self.nights:040x}"
            file.write_text(json.dumps(document))
        added = vparity("history", "add", self.history, run)
        self.assertEqual(added.returncode, 0, added.stderr)
        self.nights += 1

    def nightly(self, *times, **members):
        for seconds in times:
            self.night(seconds, **members)

    def check(self, *arguments):
        json_file = self.folder / "check.json"
        result = vparity("history", "check", self.history, "--json", json_file, *arguments)
        self.assertEqual(result.stderr, "")
        document = json.loads(json_file.read_text())
        jsonschema.Draft202012Validator(SCHEMA).validate(document)
        self.assertEqual(document["summary"]["exit_code"], result.returncode)
        return result, document

    def accept(self, **members):
        entry = {"match": "*,vocab=2000,*", "measure": "throughput", "from": day(10), "reason": "exact sums", "commit": "0" * 40, **members}
        file = self.folder / "accepted.json"
        document = {"schema": "vparity.accepted-changes/1", "entries": [entry]}
        file.write_text(json.dumps(document))
        return file, document

    def refused(self, *arguments, says):
        result = vparity("history", "check", *arguments)
        self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
        self.assertRegex(result.stderr, r"\Avparity: [^\n]*\n\Z")
        self.assertIn(says, result.stderr)

    def test_schemas_are_ones(self):
        for schema in SCHEMA, ACCEPTED_SCHEMA:
            jsonschema.Draft202012Validator.check_schema(schema)
        jsonschema.Draft202012Validator(ACCEPTED_SCHEMA).validate(self.accept()[1])

    def test_steady_history_has_no_alarm(self):
        self.nightly(*[0.02] * 12)
        result, document = self.check()
        self.assertEqual(result.returncode, 0)
        self.assertEqual(document["findings"], [])
        self.assertEqual(document["summary"]["judged"], 3)
        self.assertTrue(result.stdout.endswith("0 slower, 0 nearer to a bound; 0 back again, 0 better\n"), result.stdout)

    def test_first_nights_are_too_few(self):
        self.nightly(*[0.02] * 4)
        result, document = self.check()
        self.assertEqual(result.returncode, 77)
        self.assertEqual(document["summary"]["too_short"], 3)

    def test_two_slow_nights_are_an_alarm_until_they_are_accepted_or_over(self):
        self.nightly(*[0.02] * 10, 0.03, 0.03)
        result, document = self.check()
        self.assertEqual(result.returncode, 1)
        (finding,) = document["findings"]
        self.assertEqual((finding["key"], finding["state"], finding["rules"], finding["p"]), (SLOWER, "open", ["sudden_rise"], None))
        self.assertEqual((finding["since"]["started"], finding["since"]["revision"]), (day(10) + "T02:15:00Z", f"{10:040x}"))
        self.assertEqual(finding["last_before"]["revision"], f"{9:040x}")
        self.assertAlmostEqual(finding["change"], 0.5)
        self.assertIn("20 ms -> 30 ms", result.stdout)
        self.assertIn("repeat: vparity run m.json --case x", result.stdout)

        accepted, _ = self.accept()
        result, document = self.check("--accepted", accepted)
        self.assertEqual(result.returncode, 0)
        self.assertEqual([(entry["cases"], entry["in_force"]) for entry in document["accepted"]], [(1, True)])
        for other in {"match": "*,tp=3,*"}, {"measure": "parity"}, {"from": day(400)}, {"from": day(3)}:
            accepted, _ = self.accept(**other)
            self.assertEqual(self.check("--accepted", accepted)[0].returncode, 1, other)

        self.nightly(0.02, 0.02)
        result, document = self.check()
        self.assertEqual((result.returncode, document["findings"][0]["state"]), (0, "back"))
        self.assertEqual(document["findings"][0]["back"]["started"], day(12) + "T02:15:00Z")
        self.assertIn("back since", self.check("-v")[0].stdout)

    def test_error_ratio_that_drifts_is_an_alarm(self):
        for number in range(40):
            self.night(0.02, error_ratio=0.2 + 0.015 * number)
        result, document = self.check()
        self.assertEqual(result.returncode, 1)
        self.assertGreaterEqual(document["summary"]["open"]["parity"], 1)
        self.assertEqual({finding["unit"] for finding in document["findings"]}, {"error_ratio"})
        self.assertIn("of bound", result.stdout)

    def test_entries_that_match_nothing_are_said(self):
        self.nightly(*[0.02] * 7)
        accepted, _ = self.accept(match="*,tp=9,*")
        result, document = self.check("--accepted", accepted)
        self.assertEqual(result.returncode, 0)
        self.assertIn("matches no case", " ".join(result.stdout.split()))
        self.assertEqual(document["accepted"][0]["cases"], 0)
        self.assertEqual(len(document["notes"]), 1)

    def test_what_is_read_is_not_written_over(self):
        self.nightly(0.02)
        accepted, _ = self.accept()
        (night,) = (self.history / "nights").iterdir()
        for file in (night, self.history / "new.json", self.folder / "history" / ".." / "history" / "x", accepted):
            result = vparity("history", "check", self.history, "--accepted", accepted, "--json", file)
            self.assertEqual(result.returncode, 2, result.stdout)
            self.assertIn(f"--json: {file}", result.stderr)
            page = vparity("report", self.folder / "night0", "--history", self.history, "--accepted", accepted, "--html", file)
            self.assertEqual(page.returncode, 2, page.stdout)
        page = vparity("report", self.folder / "night0", "--html", self.folder / "night0" / "parity.json")
        self.assertEqual(page.returncode, 2, page.stdout)
        json.loads((self.folder / "night0" / "parity.json").read_text())
        self.assertEqual(self.check("--accepted", accepted)[0].returncode, 77)

    def test_what_cannot_be_read_is_refused(self):
        self.refused(self.folder / "nowhere", says="not a history")
        self.nightly(0.02)
        self.refused(self.history, "--accepted", self.folder / "none.json", says="none.json")
        accepted, _ = self.accept(commit="main")
        self.refused(self.history, "--accepted", accepted, says="/entries/0/commit")
        self.refused(self.history, "--acepted", accepted, says="did you mean --accepted?")
        self.refused(self.history, "--json", "", says="the value is empty")

    def test_strings_of_reports_are_not_obeyed(self):
        self.nightly(*[0.02] * 10, 0.03, 0.03, repeat="\x1b[2J\n::error::x")
        result, _ = self.check()
        self.assertEqual(result.returncode, 1)
        self.assertNotIn("\x1b", result.stdout)
        self.assertNotRegex(result.stdout, "(?m)^::")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
