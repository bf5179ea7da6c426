#!/usr/bin/env python3
"""The lines of docs/continuous-integration.md and of the workflow do what is said of them.
Usage: continuous_integration_test.py VPARITY MATRICES"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv[1])
MATRICES = pathlib.Path(sys.argv[2]).resolve()
PAGE = (MATRICES.parent / "docs" / "continuous-integration.md").read_text(encoding="utf-8")
WORKFLOW = (MATRICES.parent / ".github" / "workflows" / "parity.yml").read_text(encoding="utf-8")


class Lines(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "build").mkdir()
        (self.folder / "build" / "bin").symlink_to(pathlib.Path(PROGRAM).parent)
        (self.folder / "matrices").symlink_to(MATRICES)
        (self.folder / "Makefile").write_text("build gate:\n\t@true\n")

    def shell(self, script, options="", **variables):
        """As a CI system runs it, on the small matrix and with threads."""
        script = script.replace("matrices/ci.json", f"matrices/smoke.json --launcher threads {options}")
        surroundings = {name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")}
        return subprocess.run(["sh", "-e", "-c", script], cwd=self.folder, capture_output=True, text=True, timeout=100,
                              env={**surroundings, **variables})

    def last_line(self, result):
        return result.stdout.splitlines()[-1]

    def test_any_ci_passes_and_leaves_its_reports(self):
        gate, _, _, _ = re.findall(r"```sh\n(.*?)```", PAGE, re.S)
        result = self.shell(gate)
        self.assertEqual(result.returncode, 0, result.stderr)
        for file in ("parity.json", "junit.xml", "summary.md"):
            self.assertTrue((self.folder / "parity" / file).exists())

    def test_any_ci_fails_and_leaves_its_reports(self):
        gate, _, _, _ = re.findall(r"```sh\n(.*?)```", PAGE, re.S)
        result = self.shell(gate, "--max-ranks 1 --strict-skips")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertTrue((self.folder / "parity" / "junit.xml").exists())

    def test_the_run_before_is_compared_with(self):
        gate, _, _, compare = re.findall(r"```sh\n(.*?)```", PAGE, re.S)
        self.assertEqual(self.shell(gate).returncode, 0)
        (self.folder / "before").mkdir()
        (self.folder / "parity").rename(self.folder / "before" / "parity")
        self.assertEqual(self.shell(gate).returncode, 0)
        result = self.shell(compare)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(" 0 regressed,", self.last_line(result))
        self.assertTrue((self.folder / "comparison.json").exists())
        (self.folder / "parity" / "parity.json").unlink()
        self.assertEqual(self.shell(compare).returncode, 2)

    def test_shards_are_merged(self):
        _, shard, merge, _ = re.findall(r"```sh\n(.*?)```", PAGE, re.S)
        for number in ("1", "2"):
            self.assertEqual(self.shell(shard, I=number, N="2").returncode, 0)
        result = self.shell(merge)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(self.last_line(result), r"\A\d+ passed, 0 failed, 0 skipped\Z")

    def test_shard_that_left_no_report_is_noticed(self):
        _, shard, merge, _ = re.findall(r"```sh\n(.*?)```", PAGE, re.S)
        self.shell(shard, I="1", N="2")
        result = self.shell(merge)
        self.assertEqual(result.returncode, 2)
        self.assertIn("1 of 2 shards are missing: 2", result.stderr)

    def test_workflow_shows_the_summary_and_keeps_what_a_run_leaves(self):
        steps = {name: script for name, script in re.findall(r"- name: ([^\n]*)\n(?: +if: [^\n]*\n)? +run: \|\n((?: {10}[^\n]*\n)+)", WORKFLOW)}
        summary = self.folder / "step_summary"
        show = steps["Summary on the run's page"]
        self.assertEqual(self.shell(show, GITHUB_STEP_SUMMARY=str(summary)).returncode, 0)
        self.assertFalse(summary.exists())  # there was no run
        run = self.shell("build/bin/vparity run matrices/ci.json")
        self.assertEqual(self.shell(show, GITHUB_STEP_SUMMARY=str(summary)).returncode, 0)
        self.assertIn("# <code>smoke</code>: passed", summary.read_text(encoding="utf-8"))
        for pattern in re.findall(r"^ +(vparity-out/\S+)$", WORKFLOW, re.M):
            is_there = bool(list(self.folder.glob(pattern)))
            # Only builds with the viewer have the page, and those say so.
            self.assertEqual(is_there, "report.html" not in pattern or "report.html" in run.stdout, pattern)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
