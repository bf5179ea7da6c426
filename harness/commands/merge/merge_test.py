#!/usr/bin/env python3
"""`vparity merge`: shards give the whole run's report, and nothing else is merged.
Usage: merge_test.py VPARITY SOURCE_DIR"""

import copy
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from report_times import without_times

PROGRAM = os.path.abspath(sys.argv[1])
SOURCE = pathlib.Path(sys.argv[2])
VALIDATE = [sys.executable, "-B", str(SOURCE / "reports" / "schemas" / "validate.py"),
            str(SOURCE / "reports" / "schemas" / "parity.schema.json")]

SHARDS = 3
# Cases in each of three shards, and a point that is no case.
MATRIX = {"schema": "vparity.matrix/1", "name": "small", "defaults": {"tokens": 2, "seed": 7}, "sweeps": [
    {"name": "plain", "measure": ["parity"], "axes": {"tp": [1, 2], "vocab": [8, 9, 10, 11], "mask": ["none", "one_shard"]}}]}


def vparity(*arguments):
    surroundings = {name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")}
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=100, env=surroundings)


def read(run):
    return json.loads((run / "parity.json").read_text(encoding="utf-8"))


def comparable(report):
    """All but times, ids and command lines."""
    report = without_times(report)
    for member in ("id", "started", "finished", "argv"):
        del report["run"][member]
    return report


RUNS = None  # the whole run and its shards, which no test changes


def setUpModule():
    global RUNS
    folder = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(folder.cleanup)
    RUNS = pathlib.Path(folder.name)
    (RUNS / "small.json").write_text(json.dumps(MATRIX))
    make(RUNS / "whole")
    for shard in range(1, SHARDS + 1):
        make(RUNS / f"shard{shard}", "--shard", f"{shard}/{SHARDS}")


def make(run, *options, matrix=None):
    """A passing run."""
    result = vparity("run", matrix or RUNS / "small.json", "--launcher", "threads", "--out", run, *options)
    assert result.returncode == 0, result.stderr
    return run


class Merging(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.runs, self.matrix = RUNS, RUNS / "small.json"
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.out = self.folder / "merged"

    def shards(self, *indices):
        return [self.runs / f"shard{index}" for index in indices or range(1, SHARDS + 1)]

    def changed(self, shard, change):
        """A copy of a shard's run with a changed report."""
        report = read(self.runs / f"shard{shard}")
        change(report)
        counts = {status: sum(case["status"] == status for case in report["cases"]) for status in
                  ("passed", "failed", "untrusted", "error", "timeout", "crashed", "skipped", "not_run")}
        report["summary"].update(counts, planned=len(report["cases"]),
                                 known_failures=sum("known_failure" in case for case in report["cases"]))
        run = self.folder / f"changed{shard}"
        run.mkdir()
        (run / "parity.json").write_text(json.dumps(report))
        return run

    def merged(self, *runs, code):
        result = vparity("merge", *runs, "--out", self.out)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        validation = subprocess.run([*VALIDATE, str(self.out / "parity.json")], capture_output=True, text=True)
        self.assertEqual(validation.returncode, 0, validation.stderr)
        self.assertTrue((self.out / "junit.xml").exists() and (self.out / "summary.md").exists())
        return result, read(self.out)

    def refused(self, *runs, says):
        result = vparity("merge", *runs, "--out", self.out)
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        self.assertEqual(result.stdout, "")
        self.assertRegex(result.stderr, r"\Avparity: merge: [^\n]*\n\Z")
        self.assertIn(says, result.stderr)
        self.assertFalse(self.out.exists())


def ids(run):
    return {case["id"] for case in read(run)["cases"]}


class Whole(Merging):
    def test_shards_in_any_order_are_the_whole_run(self):
        result, report = self.merged(*reversed(self.shards()), code=0)
        self.assertEqual(comparable(report), comparable(read(self.runs / "whole")))
        self.assertEqual(result.stdout.splitlines()[-1], f"{len(report['cases'])} passed, 0 failed, 0 skipped")

    def test_shard_without_a_case_is_not_missed(self):
        shards = []
        for shard in range(1, 17):
            run = self.folder / str(shard)
            result = vparity("run", self.matrix, "--launcher", "threads", "--shard", f"{shard}/16", "--out", run)
            if result.returncode == 0:
                shards.append(run)
        self.assertLess(len(shards), 16)
        _, report = self.merged(*shards, code=0)
        self.assertEqual(comparable(report), comparable(read(self.runs / "whole")))

    def test_a_whole_run_is_its_only_shard(self):
        _, report = self.merged(self.runs / "whole", code=0)
        self.assertEqual(comparable(report), comparable(read(self.runs / "whole")))

    def test_times_span_all_shards(self):
        early = self.changed(1, lambda report: report["run"].update(started="2020-01-01T00:00:00Z"))
        late = self.changed(2, lambda report: report["run"].update(finished="2099-01-01T00:00:00Z"))
        _, report = self.merged(early, late, *self.shards(3), code=0)
        self.assertEqual((report["run"]["started"], report["run"]["finished"]), ("2020-01-01T00:00:00Z", "2099-01-01T00:00:00Z"))

    def test_machines_of_all_shards_are_named(self):
        def on_another_machine(report):
            report["hosts"][0]["name"] = "elsewhere"
            report["provenance"]["simd"] = "OTHER"
            report["provenance"]["libraries"]["mpi"] = "Other MPI"

        _, report = self.merged(*self.shards(1, 2), self.changed(3, on_another_machine), code=0)
        self.assertEqual([host["name"] == "elsewhere" for host in report["hosts"]], [False, True])
        self.assertTrue(report["provenance"]["simd"].endswith(" | OTHER"))
        self.assertEqual(report["provenance"]["libraries"]["mpi"], "Other MPI")
        self.assertNotEqual(report["fingerprint"], read(self.runs / "whole")["fingerprint"])


class ExitCode(Merging):
    def with_status(self, status, exit_code, **members):
        def change(report):
            report["cases"][0].update(status=status, reason={"code": "c", "text": "t"}, **members)
            report["run"].update(exit_code=exit_code, complete=status != "not_run")
        return change

    def test_is_that_of_the_worst_shard(self):
        for status, code in (("failed", 1), ("timeout", 4), ("crashed", 3), ("skipped", 0)):
            with self.subTest(status=status):
                self.setUp()
                result, report = self.merged(*self.shards(1, 2), self.changed(3, self.with_status(status, code)), code=code)
                self.assertEqual(report["run"]["exit_code"], code)
                self.assertEqual(report["summary"][status], 1)

    def test_interrupted_shard_leaves_the_run_incomplete(self):
        _, report = self.merged(*self.shards(1, 2), self.changed(3, self.with_status("not_run", 130)), code=1)
        self.assertFalse(report["run"]["complete"])

    def test_what_went_wrong_beside_the_cases_is_kept(self):
        for code in (3, 4):
            self.setUp()
            result, _ = self.merged(*self.shards(1, 2), self.changed(3, lambda report: report["run"].update(exit_code=code)), code=code)
            self.assertIn(f"exit code {code}, which no case explains", result.stdout)

    def test_strict_skips_of_a_shard_hold_for_the_run(self):
        strict = self.changed(2, self.with_status("skipped", 1))
        self.merged(*self.shards(1, 3), strict, code=1)


class KnownFailures(Merging):
    def known(self, *matches, expiry="9999-12-31"):
        path = self.folder / "known.json"
        entries = [{"match": match, "reason": "r", "owner": "o", "issue": "i", "expiry": expiry} for match in matches]
        path.write_text(json.dumps({"schema": "vparity.known-failures/1", "entries": entries}))
        return ["--known-failures", path]

    def run_shards(self, *options):
        runs = []
        for shard in range(1, SHARDS + 1):
            run = self.folder / f"known{shard}"
            result = vparity("run", self.matrix, "--launcher", "threads", "--shard", f"{shard}/{SHARDS}", "--out", run, *options)
            runs.append((run, result.returncode))
        return runs

    def test_unexpected_pass_shows_once_all_its_cases_are_there(self):
        runs = self.run_shards(*self.known("*,vocab=[89],*"))
        self.assertEqual({code for _, code in runs}, {0})
        result, report = self.merged(*(run for run, _ in runs), code=1)
        self.assertIn("known failure '*,vocab=[89],*': passed in each of its cases", result.stdout)
        self.assertEqual(report["known_failures"][0]["state"], "unexpected_pass")

    def test_expired_entry_fails_the_merged_run_too(self):
        runs = self.run_shards(*self.known("*,vocab=9,*", expiry="2001-01-01"))
        self.assertEqual({code for _, code in runs}, {1})
        self.merged(*(run for run, _ in runs), code=1)

    def test_other_lists_are_not_merged(self):
        runs = [run for run, _ in self.run_shards(*self.known("*,vocab=9,*"))]
        self.refused(*runs[:2], *self.shards(3), says="known failures")


class Refusals(Merging):
    def test_missing_shards_are_named(self):
        self.refused(*self.shards(1, 3), says="1 of 3 shards are missing: 2")
        self.refused(*self.shards(2), says="2 of 3 shards are missing: 1, 3")

    def test_shards_twice(self):
        self.refused(*self.shards(1, 2, 2, 3), says="shard2 are both shard 2 of 3")

    def test_shards_of_other_runs(self):
        seed = make(self.folder / "seed8", "--shard", f"3/{SHARDS}", "--seed", "8")
        self.refused(*self.shards(1, 2), seed, says="seed 7 and 8")
        halves = make(self.folder / "half", "--shard", "2/2")
        self.refused(*self.shards(1), halves, says="number of shards 3 and 2")
        other = {**MATRIX, "name": "other"}
        (self.folder / "other.json").write_text(json.dumps(other))
        named = make(self.folder / "other", "--shard", f"3/{SHARDS}", matrix=self.folder / "other.json")
        self.refused(*self.shards(1, 2), named, says='matrix "small" and "other"')
        build = self.changed(3, lambda report: report["provenance"]["build"].update(flags="-O0"))
        self.refused(*self.shards(1, 2), build, says="build ")

    def test_shards_of_another_state_of_the_matrix(self):
        changed = copy.deepcopy(MATRIX)
        changed["sweeps"][0]["axes"]["vocab"] = [8, 9, 10, 12]
        (self.folder / "small.json").write_text(json.dumps(changed))
        for shard in (1, 2, 3):
            run = make(self.folder / f"other{shard}", "--shard", f"{shard}/{SHARDS}", matrix=self.folder / "small.json")
            rest = [index for index in (1, 2, 3) if index != shard]
            self.refused(run, *self.shards(*rest), says="planned cases")

    def test_reports_that_say_other_things_of_their_shard(self):
        def without_positions(report):
            del report["run"]["shard"]["positions"]

        def shifted(report):
            report["run"]["shard"]["positions"] = [position + 1 for position in report["run"]["shard"]["positions"]]

        def far(report):
            report["run"]["shard"]["positions"][0] = 2**63 - 1

        def large(report):
            report["run"]["shard"]["total"] = 2**62

        def other_index(report):
            report["run"]["shard"]["index"] = 1

        self.refused(*self.shards(1, 2), self.changed(3, without_positions), says="does not give the places of its cases")
        for change, says in ((shifted, "is taken or does not exist"), (far, "is taken or does not exist"), (large, "number of planned cases")):
            self.setUp()
            self.refused(*self.shards(1, 2), self.changed(3, change), says=says)
        self.setUp()
        self.refused(*self.shards(2), self.changed(3, other_index), says="belongs to shard 3, not 1")

    def test_huge_numbers_take_no_memory(self):
        def lonely(report):
            report["run"]["shard"].update(total=2**62)

        result = vparity("merge", self.changed(3, lonely), "--out", self.out)
        self.assertEqual(result.returncode, 2)
        self.assertIn("2 of 3 shards are missing: 1, 2", result.stderr)

    def test_damaged_reports_and_used_folders(self):
        (self.folder / "damaged").mkdir()
        (self.folder / "damaged" / "parity.json").write_text("{")
        result = vparity("merge", *self.shards(1, 2), self.folder / "damaged", "--out", self.out)
        self.assertEqual(result.returncode, 2)
        self.assertIn("damaged/parity.json:1:", result.stderr)
        self.out.mkdir()
        (self.out / "mine").write_text("x")
        result = vparity("merge", *self.shards(), "--out", self.out)
        self.assertEqual(result.returncode, 2)
        self.assertIn("is not an empty directory", result.stderr)
        self.assertEqual([path.name for path in self.out.iterdir()], ["mine"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
