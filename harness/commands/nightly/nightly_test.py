#!/usr/bin/env python3
"""`vparity nightly` on a small matrix, on histories that are made for it, and as its workflow runs it.
Usage: nightly_test.py VPARITY SOURCE_DIR"""

import copy
import datetime
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

from page_data import page_data

PROGRAM = os.path.abspath(sys.argv[1])
SOURCE = pathlib.Path(sys.argv[2])
BUILD = pathlib.Path(PROGRAM).parent.parent
WORKFLOW = (SOURCE / ".github" / "workflows" / "nightly.yml").read_text(encoding="utf-8")
MATRIX = {"schema": "vparity.matrix/1", "name": "small", "defaults": {"tokens": 16, "seed": 7}, "sweeps": [
    {"name": "both", "measure": ["parity", "throughput"], "axes": {"vocab": [1000]}}]}
NIGHTS_BEFORE = 12

# A build that runs the real one and says another revision, or fails.
OTHER_BUILD = """#!/usr/bin/env python3
import json, pathlib, subprocess, sys, time
if {broken}:
    sys.exit(3)
code = subprocess.run([{program!r}, *sys.argv[1:]]).returncode
out = next(argument[len("--out="):] for argument in sys.argv if argument.startswith("--out="))
file = pathlib.Path(out) / "throughput.json"
report = json.loads(file.read_text())
report["provenance"]["git"] = {{"revision": "b" * 40, "dirty": False}}
file.write_text(json.dumps(report))
(pathlib.Path(out) / "argv").write_text(json.dumps(sys.argv[1:]))
if (pathlib.Path(__file__).parent / "hangs").exists():
    time.sleep(600)
sys.exit(code)
"""


class Nightly(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.matrix = self.folder / "small.json"
        self.matrix.write_text(json.dumps(MATRIX))
        self.history = self.folder / "history"
        self.runs = 0

    def arguments(self, *options):
        self.runs += 1
        self.out = self.folder / f"out{self.runs}"
        return [PROGRAM, "nightly", str(self.matrix), "--history", str(self.history), "--launcher", "threads",
                "--out", str(self.out), *map(str, options)]

    def nightly(self, *options, code=0, **variables):
        surroundings = {name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")}
        result = subprocess.run(self.arguments(*options), capture_output=True, text=True, timeout=100, env={**surroundings, **variables})
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    def wait_for(self, happened):
        deadline = time.monotonic() + 30
        while not happened() and time.monotonic() < deadline:
            time.sleep(0.02)

    def nights(self):
        nights = [json.loads(path.read_text()) for path in (self.history / "nights").glob("*.json")]
        return sorted(nights, key=lambda night: night["started"])

    def add_nights_before(self, factor_of):
        """As the one there is, on the days before it: their times are its own, times a factor."""
        (path,) = (self.history / "nights").iterdir()
        night = json.loads(path.read_text())
        today = datetime.date.fromisoformat(night["started"][:10])
        for back in range(1, NIGHTS_BEFORE + 1):
            other = copy.deepcopy(night)
            other["run_id"] = f"{back} nights before"
            other["started"] = f"{today - datetime.timedelta(days=back)}T00:00:00Z"
            error_ratio, seconds = night["values"]
            other["values"] = [error_ratio, seconds * factor_of(back)]
            (path.parent / f"{back}.json").write_text(json.dumps(other))

    def build(self, broken=False):
        folder = self.folder / "other"
        (folder / "bin").mkdir(parents=True)
        for program in ("vparity", "vparity-worker"):
            (folder / "bin" / program).write_text(OTHER_BUILD.format(program=PROGRAM, broken=broken))
            (folder / "bin" / program).chmod(0o755)
        return folder

    def test_first_night_begins_a_history(self):
        result = self.nightly()
        (night,) = self.nights()
        self.assertEqual(night["status"], ["passed", "passed"])
        for file in ("parity.json", "throughput.json", "history-check.json", "summary.md"):
            self.assertTrue((self.out / file).exists(), file)
        self.assertIn("2 passed, 0 failed, 0 skipped", result.stdout)

    def test_rise_of_two_nights_is_an_alarm(self):
        self.nightly()
        # Ten times as slow as ever, now and in the night before.
        self.add_nights_before(lambda back: 1 if back == 1 else 0.1 * (1 + 0.01 * (back % 3)))
        result = self.nightly(code=1, GITHUB_ACTIONS="true")
        self.assertEqual(json.loads((self.out / "history-check.json").read_text())["summary"]["exit_code"], 1)
        self.assertTrue(result.stdout.splitlines()[-1].startswith("1 slower, 0 nearer to a bound;"), result.stdout)
        self.assertIn("::error title=vparity::slower since", result.stdout)
        summary = (self.out / "summary.md").read_text()
        self.assertTrue(summary.startswith("# History\n\n    history of 14 nights"), summary[:200])
        self.assertIn("\n# <code>small</code>: passed", summary)
        if (self.out / "report.html").exists():  # builds with the viewer
            data = page_data(self.out / "report.html")
            self.assertEqual(len(data["history"]["nights"]), NIGHTS_BEFORE + 2)
            self.assertEqual([finding["open"] for finding in data["history"]["findings"]], [True])

    def test_what_was_accepted_is_no_alarm(self):
        self.nightly()
        self.add_nights_before(lambda back: 1 if back == 1 else 0.1 * (1 + 0.01 * (back % 3)))
        accepted = self.folder / "accepted.json"
        since = self.nights()[-2]["started"][:10]
        accepted.write_text(json.dumps({"schema": "vparity.accepted-changes/1", "entries": [
            {"match": "*", "measure": "throughput", "from": since, "reason": "slower and right", "commit": "c" * 40}]}))
        self.nightly("--accepted", accepted)

    def test_anchor_runs_the_same_cases_beside_it(self):
        self.nightly("--anchor", self.build(), "--filter", "*,vocab=1000,*", "--timeout", "33")
        (night,) = self.nights()
        self.assertEqual(night["anchor"], "b" * 40)
        anchor = json.loads((self.out / "anchor" / "throughput.json").read_text())
        times = {case["id"]: case["median_s"] for case in anchor["cases"]}
        cases = json.loads((self.history / "case-lists" / (night["case_list"] + ".json")).read_text())["cases"]
        self.assertEqual(night["anchor_values"],
                         [times[case["id"]] if case["measure"] == "throughput" else None for case in cases])
        arguments = json.loads((self.out / "anchor" / "argv").read_text())
        for argument in ("--only=throughput", "--filter=*,vocab=1000,*", "--timeout=33", "--launcher=threads"):
            self.assertIn(argument, arguments)
        self.assertFalse([argument for argument in arguments if argument.startswith(("--history", "--anchor"))])

    def test_anchor_that_fails_loses_nothing_and_adds_nothing(self):
        result = self.nightly("--anchor", self.build(broken=True), code=3)
        self.assertFalse(self.history.exists())
        self.assertTrue((self.out / "parity.json").exists())
        self.assertIn("anchor", result.stderr)

    def test_night_that_was_stopped_in_its_anchor_goes_on(self):
        anchor = self.build()
        hangs = anchor / "bin" / "hangs"
        hangs.touch()
        process = subprocess.Popen(self.arguments("--anchor", anchor), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.wait_for(lambda: (self.out / "anchor" / "argv").exists())
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertFalse(self.history.exists())
        hangs.unlink()
        self.runs -= 1  # the same folder
        self.nightly("--anchor", anchor, "--resume")
        (night,) = self.nights()
        self.assertEqual(night["anchor"], "b" * 40)

    def test_anchor_is_not_run_where_nothing_was_timed(self):
        matrix = copy.deepcopy(MATRIX)
        matrix["sweeps"].append({"name": "simulated", "measure": ["throughput"], "axes": {"backend": ["cuda-sim"], "vocab": [1000]}})
        self.matrix.write_text(json.dumps(matrix))
        result = self.nightly("--anchor", self.build(), "--filter", "*,backend=cuda-sim,*", code=77)
        self.assertIn("anchor: not run", result.stdout)
        self.assertEqual(self.nights()[0]["anchor"], None)

    def test_failing_case_fails_the_night_that_is_kept(self):
        self.nightly("--provider", "known-bug-zero-gradient", "--only", "parity", code=1)
        (night,) = self.nights()
        self.assertEqual(night["status"], ["failed"])

    def test_bad_input_is_found_before_the_run(self):
        self.nightly()
        (night,) = (self.history / "nights").iterdir()
        night.write_text("{")
        self.assertIn(night.name, self.nightly(code=2).stderr)
        self.assertFalse(self.out.exists())
        night.unlink()
        for option in ("--accepted", "--anchor"):
            self.nightly(option, self.folder / "nowhere", code=2)
            self.assertFalse(self.out.exists())
        self.history = self.folder  # of something else
        self.assertIn("not a history", self.nightly(code=2).stderr)

    def test_history_is_needed(self):
        result = subprocess.run([PROGRAM, "nightly", str(self.matrix)], capture_output=True, text=True, timeout=60)
        self.assertEqual(result.returncode, 2)
        self.assertIn("--history is required", result.stderr)

    def test_interrupted_night_is_none(self):
        matrix = copy.deepcopy(MATRIX)
        matrix["sweeps"][0]["axes"]["vocab"] = list(range(100000, 100400))
        self.matrix.write_text(json.dumps(matrix))
        process = subprocess.Popen(self.arguments("--only", "parity"), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        journal = self.out / "journal.jsonl"
        self.wait_for(lambda: journal.exists() and journal.read_text().count("\n") > 2)
        process.send_signal(signal.SIGTERM)
        said = process.communicate(timeout=60)[0].decode()
        self.assertEqual(process.returncode, 143)
        self.assertIn(f"--resume --out {self.out}", said)
        self.assertFalse(self.history.exists())
        self.assertTrue((self.out / "parity.json").exists())


class Workflow(unittest.TestCase):
    """Its steps, with a repository of its own for origin and a small matrix."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.shell("git init -q --bare origin.git && git clone -q origin.git work 2>/dev/null && cd work && "
                   "touch source && git add source && git -c user.name=t -c user.email=t@localhost commit -q -m first && git push -q origin HEAD", self.folder)
        work = self.folder / "work"
        (work / "build").mkdir()
        (work / "build" / "bin").symlink_to(BUILD / "bin")
        (work / "matrices").mkdir()
        (work / "matrices" / "nightly.json").write_text(json.dumps(MATRIX))
        (work / "matrices" / "accepted-changes.json").write_text((SOURCE / "matrices" / "accepted-changes.json").read_text())
        self.steps = dict(re.findall(r"- name: ([^\n]*)\n(?: +if: [^\n]*\n)? +run: \|\n((?:(?: {10}[^\n]*)?\n)+)", WORKFLOW))

    def shell(self, script, where, **variables):
        surroundings = {name: value for name, value in os.environ.items() if not name.startswith(("GITHUB_", "GIT_"))}
        result = subprocess.run(["sh", "-e", "-c", script], cwd=where, capture_output=True, text=True, timeout=100,
                                env={**surroundings, "HOME": str(self.folder), **variables})
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stdout

    def night(self, number):
        temporary = self.folder / f"temporary{number}"
        temporary.mkdir()
        for step in ("History", "Nightly", "Keep the history"):
            script = self.steps[step].replace("nightly.json", "nightly.json --launcher threads")
            self.shell(script, self.folder / "work", RUNNER_TEMP=str(temporary), HISTORY_BRANCH="vparity-history", ANCHOR="")
        self.shell("rm -rf vparity-out; git worktree prune; git worktree list", self.folder / "work")
        self.shell(f"git worktree remove --force {temporary}/history", self.folder / "work")

    def test_history_is_a_branch_that_grows(self):
        for number in (1, 2):
            self.night(number)
        files = self.shell("git ls-tree -r --name-only vparity-history", self.folder / "origin.git").split()
        self.assertEqual(len([file for file in files if file.startswith("vparity/nights/")]), 2)
        self.assertEqual(len([file for file in files if file.startswith("vparity/case-lists/")]), 1)
        self.assertEqual(len(files), 3)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
