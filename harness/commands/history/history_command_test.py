#!/usr/bin/env python3
"""`vparity history add` and `merge` on real runs.
Usage: history_command_test.py VPARITY"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv[1])
MATRIX = {"schema": "vparity.matrix/1", "name": "small", "defaults": {"tokens": 16, "seed": 7}, "sweeps": [
    {"name": "both", "measure": ["parity", "throughput"], "axes": {"vocab": [1000, 1001]}}]}


def vparity(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=100)


def setUpModule():
    global RUNS
    folder = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(folder.cleanup)
    RUNS = pathlib.Path(folder.name)
    (RUNS / "small.json").write_text(json.dumps(MATRIX))
    run("head")
    run("anchor", "--only", "throughput")
    run("parity", "--only", "parity")


def run(name, *options):
    result = vparity("run", RUNS / "small.json", "--launcher", "threads", "--out", RUNS / name, *options)
    assert result.returncode == 0, result.stdout + result.stderr


def medians(name):
    cases = json.loads((RUNS / name / "throughput.json").read_text())["cases"]
    return {case["id"]: case["median_s"] for case in cases}


class History(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.history = pathlib.Path(folder.name) / "history"

    def says(self, *arguments):
        result = vparity("history", *arguments)
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
        return result.stdout

    def refused(self, *arguments, says):
        result = vparity("history", *arguments)
        self.assertEqual(result.returncode, 2, result.stdout)
        self.assertIn(says, result.stderr)

    def night(self):
        (night,) = (self.history / "nights").iterdir()
        night = json.loads(night.read_text())
        cases = json.loads((self.history / "case-lists" / (night["case_list"] + ".json")).read_text())["cases"]
        return night, cases

    def test_night_has_the_values_of_the_run(self):
        self.assertIn("added run", self.says("add", self.history, RUNS / "head"))
        night, cases = self.night()
        self.assertEqual([case["measure"] for case in cases], ["parity"] * 2 + ["throughput"] * 2)
        self.assertEqual(night["status"], ["passed"] * 4)
        parity = json.loads((RUNS / "head" / "parity.json").read_text())["cases"]
        error_ratios = [max(output["error_ratio"] for output in case["outputs"]) for case in parity]
        self.assertEqual(night["values"], error_ratios + [medians("head")[case["id"]] for case in cases[2:]])
        self.assertNotIn("anchor_values", night)

    def test_anchor_stands_beside_the_same_cases(self):
        self.says("add", self.history, RUNS / "head", "--anchor", RUNS / "anchor")
        night, cases = self.night()
        self.assertEqual(night["anchor_values"], [None] * 2 + [medians("anchor")[case["id"]] for case in cases[2:]])
        self.assertIsInstance(night["anchor"], str)

    def test_adding_again_changes_nothing(self):
        self.says("add", self.history, RUNS / "head")
        before = [path.stat().st_mtime_ns for path in sorted(self.history.rglob("*"))]
        self.assertIn("already has run", self.says("add", self.history, RUNS / "head"))
        self.assertEqual(before, [path.stat().st_mtime_ns for path in sorted(self.history.rglob("*"))])

    def test_what_is_no_anchor_is_refused(self):
        self.refused("add", self.history, RUNS / "head", "--anchor", RUNS / "head", says="is the run itself")
        self.refused("add", self.history, RUNS / "head", "--anchor", RUNS / "parity", says="has no throughput")
        other = self.history.parent / "other"
        other.mkdir()
        text = (RUNS / "anchor" / "throughput.json").read_text()
        report = json.loads(text)
        report["fingerprint"] = "0" * 16
        report["hosts"][0]["cpu"] = "another CPU"
        (other / "throughput.json").write_text(json.dumps(report))
        self.refused("add", self.history, RUNS / "head", "--anchor", other, says="another machine")
        self.assertFalse(self.history.exists())

    def test_merge_counts_what_it_added(self):
        other = self.history.parent / "from-elsewhere"
        self.says("add", other, RUNS / "parity")
        self.says("add", self.history, RUNS / "head")
        self.assertIn("1 night added", self.says("merge", self.history, other))
        self.assertIn("0 nights added", self.says("merge", self.history, other))
        self.assertEqual(len(list((self.history / "nights").iterdir())), 2)

    def test_bad_folders_are_named(self):
        self.refused("add", self.history, RUNS / "nowhere", says="nowhere")
        self.refused("add", RUNS, RUNS / "head", says="not a history")
        self.refused("merge", self.history, RUNS / "nowhere", says="nowhere: not a history")
        self.refused("add", self.history, "", says="the value is empty")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
