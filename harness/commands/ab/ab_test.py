#!/usr/bin/env python3
"""`vparity ab` on small matrices and on builds that only look like it. Usage: ab_test.py VPARITY"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import jsonschema

from page_data import page_data

PROGRAM = os.path.abspath(sys.argv[1])
BUILD = pathlib.Path(PROGRAM).parent.parent
SCHEMA = json.loads(subprocess.run([PROGRAM, "schema", "comparison"], capture_output=True, check=True).stdout)
MATRIX = {"schema": "vparity.matrix/1", "name": "t", "defaults": {"vocab": 64, "tokens": 2, "seed": 3},
          "sweeps": [{"name": "s", "measure": ["throughput"], "axes": {"op": ["forward", "backward"]}}]}

# A build whose times are known: it runs the real one, then multiplies the times in its report.
SLOWED = """#!/usr/bin/env python3
import json, pathlib, subprocess, sys
code = subprocess.run([{program!r}, *sys.argv[1:]]).returncode
out = next(argument[len("--out="):] for argument in sys.argv if argument.startswith("--out="))
file = pathlib.Path(out) / "throughput.json"
report = json.loads(file.read_text())
for case in report["cases"]:
    case["samples_s"] = [1e-3 * {factor}] * 3
    case["iterations"] = 3
file.write_text(json.dumps(report))
sys.exit({code} or code)
"""


class Ab(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.matrix = self.folder / "matrix.json"
        self.matrix.write_text(json.dumps(MATRIX))
        self.out = self.folder / "out"

    def build(self, name, text):
        """A build directory with these programs."""
        folder = self.folder / name / "bin"
        folder.mkdir(parents=True)
        for program in ("vparity", "vparity-worker"):
            (folder / program).write_text(text)
            (folder / program).chmod(0o755)
        return folder.parent

    def slowed(self, name, factor, code=0):
        return self.build(name, SLOWED.format(program=PROGRAM, factor=factor, code=code))

    def arguments(self, base, head, *options):
        return [PROGRAM, "ab", "--base", str(base), "--head", str(head), str(self.matrix), "--launcher", "threads",
                "--out", str(self.out), *options]

    def ab(self, base, head, *options):
        result = subprocess.run(self.arguments(base, head, *options), capture_output=True, text=True, timeout=200)
        self.assertTrue((self.out / "comparison.json").exists(), result.stdout + result.stderr)
        comparison = json.loads((self.out / "comparison.json").read_text())
        jsonschema.Draft202012Validator(SCHEMA).validate(comparison)
        self.check_page(result.stdout, comparison)
        return result, comparison

    def check_page(self, stdout, comparison):
        """There is one in builds with the viewer."""
        page = self.out / "report.html"
        self.assertEqual(page.exists(), f"comparison: {page}\n" in stdout)
        if page.exists():
            data = page_data(page)
            self.assertEqual(data["comparison"], comparison)
            self.assertEqual(len(data["runs"]), len(comparison["base"]) + len(comparison["head"]))

    def test_a_slower_build_is_found_by_processes_in_abba_order(self):
        result, comparison = self.ab(self.slowed("a", 1), self.slowed("b", 1.1), "--pairs", "4")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertEqual(re.findall(r"pair (\d+) of 4: (\w+)", result.stderr),
                         [("1", "base"), ("1", "head"), ("2", "head"), ("2", "base"),
                          ("3", "base"), ("3", "head"), ("4", "head"), ("4", "base")])
        for case in comparison["throughput"]:
            self.assertEqual((case["verdict"], case["change"]["pairs"]), ("regressed", 4))
            self.assertAlmostEqual(case["change"]["ratio"], 0.1)
        self.assertEqual(len({run["id"] for run in comparison["base"] + comparison["head"]}), 8)
        self.assertTrue(result.stdout.endswith("2 regressed, 0 improved, 0 equivalent, 0 inconclusive, 0 not comparable\n"))

    def test_equal_builds_are_equivalent(self):
        result, comparison = self.ab(self.slowed("a", 1), self.slowed("b", 1.001), "--pairs", "4")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertEqual(comparison["criteria"]["looks"], 8)

    def test_a_build_against_itself_tells_of_false_alarms_and_of_what_could_be_seen(self):
        result, comparison = self.ab(BUILD, BUILD, "--pairs", "4", "--max-pairs", "6")
        self.assertIn(result.returncode, (0, 1, 5), result.stderr)
        said = " ".join(result.stdout.split())
        self.assertRegex(said, r"base and head are the same build: \d+ false alarms in 2 cases; the smallest change that would have "
                               r"been found in 95 of 100: [0-9.]+ % \(median case\)")
        self.assertIn(comparison["throughput"][0]["change"]["pairs"], (4, 6))

    def test_options_are_passed_on(self):
        _, comparison = self.ab(BUILD, BUILD, "--pairs", "4", "--max-pairs", "4", "--filter", "*,op=backward,*", "--seed", "9",
                                "--timeout", "20", "--max-ranks", "1")
        self.assertEqual([case["params"]["op"] for case in comparison["throughput"]], ["backward"])
        self.assertEqual({run["seed"] for run in comparison["base"]}, {9})
        argv = json.loads((self.out / "pair-01-base" / "throughput.json").read_text())["run"]["argv"]
        self.assertIn("--timeout=20", argv)

    def test_interrupted_it_compares_the_pairs_it_has(self):
        process = subprocess.Popen(self.arguments(BUILD, BUILD, "--pairs", "500", "--max-pairs", "500"), stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(process.kill)
        deadline = time.monotonic() + 100
        while not (self.out / "pair-02-head").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=100)
        self.assertEqual(process.returncode, 130, output)
        comparison = json.loads((self.out / "comparison.json").read_text())
        self.assertGreaterEqual(len(comparison["base"]), 1)
        self.assertEqual(len(comparison["base"]), len(comparison["head"]))

    def test_a_process_that_ended_badly_is_told_by_the_exit_code_unless_there_is_a_regression(self):
        result, _ = self.ab(self.slowed("a", 1, code=3), self.slowed("b", 1, code=4), "--pairs", "4")
        self.assertEqual(result.returncode, 4, result.stdout + result.stderr)
        self.out = self.folder / "slower"
        result, _ = self.ab(self.folder / "a", self.slowed("c", 2, code=4), "--pairs", "4")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)

    def test_a_process_without_a_report_ends_it(self):
        mute = self.build("mute", "#!/bin/sh\necho no luck today >&2\nexit 3\n")
        result = subprocess.run(self.arguments(BUILD, mute), capture_output=True, text=True, timeout=100)
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("no luck today", result.stderr)

    def test_what_is_refused(self):
        def refused(*arguments, says):
            result = subprocess.run(arguments, capture_output=True, text=True, timeout=100)
            self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
            self.assertIn(says, result.stderr)
        refused(*self.arguments(BUILD, self.folder), says="--head: ")
        refused(*self.arguments(BUILD, BUILD, "--pairs", "3"), says="--pairs")
        refused(*self.arguments(BUILD, BUILD, "--pairs", "9", "--max-pairs", "8"), says="--max-pairs must not be less than --pairs")
        refused(*self.arguments(BUILD, BUILD, "--filter", "*,tp=99,*"), says="matches none")
        self.assertTrue(any(self.out.iterdir()))
        refused(*self.arguments(BUILD, BUILD), says="is not an empty directory")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
