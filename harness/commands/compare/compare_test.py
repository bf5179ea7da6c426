#!/usr/bin/env python3
"""`vparity compare` as a user meets it. Usage: compare_test.py VPARITY MATRICES"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import jsonschema

import report_builder
from page_data import page_data
from throughput_case import timed, write_run

PROGRAM = sys.argv[1]
SCHEMA = json.loads(subprocess.run([PROGRAM, "schema", "comparison"], capture_output=True, check=True).stdout)


class Comparing(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_of(self, name, parity=(), throughput=(), **members):
        """The folder of a run of its own."""
        if throughput:
            write_run(self.folder / name, name, throughput, **members)
        if parity:
            document = report_builder.report(list(parity), **members)
            document["run"]["id"] = name
            report_builder.write(self.folder / name, document)
        return self.folder / name

    def processes(self, side, *factors):
        return [self.run_of(f"{side}{i}", throughput=[timed(1000, 0.005 * factor), timed(2000, 0.02)])
                for i, factor in enumerate(factors)]

    def compare(self, *arguments):
        json_file = self.folder / "comparison.json"
        result = subprocess.run([PROGRAM, "compare", *map(str, arguments), "--json", json_file], capture_output=True, text=True, timeout=60)
        self.assertEqual(result.stderr, "")
        self.assertLessEqual(max(map(len, result.stdout.splitlines())), 80, result.stdout)
        document = json.loads(json_file.read_text())
        jsonschema.Draft202012Validator(SCHEMA).validate(document)
        self.assertEqual(document["summary"]["exit_code"], result.returncode)
        return result, document

    def refused(self, *arguments, says):
        result = subprocess.run([PROGRAM, "compare", *map(str, arguments)], capture_output=True, text=True, timeout=60)
        self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
        self.assertRegex(result.stderr, r"\Avparity: [^\n]*\n\Z")
        self.assertIn(says, result.stderr)

    def test_schema_is_one(self):
        jsonschema.Draft202012Validator.check_schema(SCHEMA)

    def test_a_run_against_itself_has_no_parity_change(self):
        run = self.run_of("one", parity=[report_builder.case("passed")])
        result, document = self.compare(run, run)
        self.assertEqual(result.returncode, 0)
        self.assertEqual(document["parity"], [])
        self.assertTrue(result.stdout.endswith("parity of 1: 0 regressed, 0 fixed, 0 changed, 0 ratios grew, 0 new, 0 missing\n"), result.stdout)

    def test_lost_parity_is_a_regression_and_says_how_to_repeat_it(self):
        base = self.run_of("base", parity=[report_builder.case("passed")])
        head = self.run_of("head", parity=[report_builder.case("failed")])
        result, document = self.compare(base, head)
        self.assertEqual(result.returncode, 1)
        self.assertEqual([case["change"] for case in document["parity"]], ["regressed"])
        self.assertIn("repeat: vparity run", result.stdout)

    def test_two_single_runs_are_inconclusive_and_say_why(self):
        base, head = self.processes("base", 1)[0], self.processes("head", 1.5)[0]
        result, document = self.compare(base, head)
        self.assertEqual(result.returncode, 5)
        self.assertEqual({case["verdict"] for case in document["throughput"]}, {"inconclusive"})
        self.assertIn("1 process of each side", " ".join(result.stdout.split()))
        self.assertIn("+50.00%", result.stdout)

    def test_several_runs_of_each_side_find_the_regression(self):
        base, head = self.processes("base", 1, 1.001, 0.999, 1), self.processes("head", 1.1, 1.1, 1.101, 1.1)
        result, document = self.compare("--base", *base, "--head", *head)
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertEqual([case["verdict"] for case in document["throughput"]], ["regressed", "equivalent"])
        self.assertTrue(result.stdout.endswith("1 regressed, 0 improved, 1 equivalent, 0 inconclusive, 0 not comparable\n"))
        result, _ = self.compare("--base", *base, "--head", *head, "--threshold", "20")
        self.assertEqual(result.returncode, 0)
        result, _ = self.compare("--base", *head, "--head", *base)
        self.assertEqual(result.returncode, 0)

    def test_another_fingerprint_is_not_compared(self):
        base = self.run_of("base", throughput=[timed(1000, 1)])
        head = self.run_of("head", throughput=[timed(1000, 2)], fingerprint="f" * 16)
        result, document = self.compare(base, head)
        self.assertEqual(result.returncode, 5)
        self.assertEqual(document["throughput"][0]["reason"]["code"], "fingerprint")

    def test_throughput_of_kernels_that_are_wrong_now_is_a_regression(self):
        base = self.run_of("base", throughput=[timed(1000, 1)])
        wrong = timed(1000, 1, status="failed", reason={"code": "mismatch", "text": "wrong"})
        result, document = self.compare(base, self.run_of("head", throughput=[wrong]))
        self.assertEqual(result.returncode, 1)
        self.assertEqual(document["throughput"][0]["reason"]["code"], "broken")
        result, _ = self.compare(self.run_of("base2", throughput=[wrong]), self.run_of("head2", throughput=[wrong]))
        self.assertEqual(result.returncode, 5)

    def test_what_makes_no_sides(self):
        one, two, three = self.processes("run", 1, 1, 1)
        self.refused(says="compare: give two runs, BASE HEAD")
        self.refused(one, says="compare: give two runs, BASE HEAD")
        self.refused(one, two, "--head", three, says="compare: give two runs, BASE HEAD")
        self.refused("--base", one, two, "--head", three, says="--base has 2 runs and --head has 1")
        self.refused("--base", one, one, "--head", two, three, says="is given twice on this side")
        self.refused(one, self.folder / "none", says="none")
        self.refused(one, two, "--threshold", "-1", says="--threshold")
        self.refused(one, two, "--confidence", "100", says="--confidence")
        self.refused(one, two, "--json", "", says="--json: the value is empty")

    def test_what_is_read_is_not_written_over(self):
        base, head = self.processes("base", 1)[0], self.processes("head", 1)[0]
        before = (head / "throughput.json").read_bytes()
        link = self.folder / "link.json"
        link.symlink_to(head / "throughput.json")
        for file, why in ((head / "throughput.json", "is an input file"), (link, "is an input file"),
                          (base / "throughput.json", "is an input file"), (head, "is a directory")):
            self.refused(base, head, "--json", file, says=f"--json: {file} {why}")
            self.refused(base, head, "--html", file, says="--html: ")  # or that there is no viewer
        self.assertEqual((head / "throughput.json").read_bytes(), before)

    def test_page_holds_the_comparison_and_the_runs(self):
        base = self.run_of("base", parity=[report_builder.case("passed")])
        head = self.run_of("head", parity=[report_builder.case("failed")])
        page = self.folder / "page.html"
        result = subprocess.run([PROGRAM, "compare", base, head, "--html", page], capture_output=True, text=True, timeout=60)
        if result.returncode == 2:
            self.assertIn("compare: --html: this build has no viewer", result.stderr)
            self.skipTest("this build has no viewer")
        data = page_data(page)
        self.assertEqual(data["comparison"], self.compare(base, head)[1])
        self.assertEqual([run["name"] for run in data["runs"]], [str(base), str(head)])

    def test_strings_of_reports_are_not_obeyed(self):
        hostile = "\x1b[2J\n::error::x" + "y" * 300
        base = self.run_of("base", parity=[report_builder.case("passed", ",dp=1,tp=2,vocab=7,")])
        bad = report_builder.case("failed", ",dp=1,tp=2,vocab=7,", repeat=hostile)
        result = subprocess.run([PROGRAM, "compare", base, self.run_of("head", parity=[bad])], capture_output=True, text=True, timeout=60)
        self.assertEqual(result.returncode, 1)
        self.assertNotIn("\x1b", result.stdout)
        self.assertNotRegex(result.stdout, "(?m)^::")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
