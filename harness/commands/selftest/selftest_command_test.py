#!/usr/bin/env python3
"""Every known bug is caught by the CI matrix. Usage: selftest_command_test.py VPARITY REPOSITORY"""
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

import jsonschema

PROGRAM = sys.argv[1]
SCHEMA = json.loads((pathlib.Path(sys.argv[2]) / "reports" / "schemas" / "parity.schema.json").read_text())


class SelftestCommand(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.out = pathlib.Path(cls.folder.name) / "out"
        command = [PROGRAM, "selftest", "--launcher", "threads", "--out", str(cls.out)]
        cls.result = subprocess.run(command, capture_output=True, text=True, timeout=570)
        cls.lines = cls.result.stdout.splitlines()

    def test_every_bug_is_caught_and_right_kernels_pass(self):
        self.assertEqual(self.result.returncode, 0, self.result.stdout + self.result.stderr)
        judgements = dict(re.findall(r"^(\S+) +(passed|caught|failed|missed|undecided) ", self.result.stdout, re.M))
        right = {name for name in judgements if not name.startswith("known-bug-")}
        self.assertEqual(right, {"vparity", "plain"})
        self.assertEqual({judgements[name] for name in right}, {"passed"})
        bugs = len(judgements) - len(right)
        self.assertGreaterEqual(bugs, 26 + 28)
        on_device = [name for name in judgements if name.startswith("known-bug-cuda-")]
        self.assertGreaterEqual(len(on_device), 28)
        self.assertEqual(self.lines[-1], f"{bugs} of {bugs} caught")

    def test_the_report_is_valid_and_its_cases_can_be_repeated(self):
        report = json.loads((self.out / "parity.json").read_text())
        jsonschema.Draft202012Validator(SCHEMA).validate(report)
        for backend in ("cpu", "cuda-sim"):
            failed = next(case for case in report["cases"] if case["status"] == "failed" and case["params"]["backend"] == backend)
            again = subprocess.run(shlex.split(failed["repeat"]), cwd=self.folder.name, capture_output=True, text=True, timeout=60)
            self.assertEqual(again.returncode, 1, again.stdout + again.stderr)
            self.assertEqual(again.stdout.splitlines()[-1], "0 passed, 1 failed, 0 skipped")

    def test_right_kernels_run_the_cases_of_both_backends(self):
        report = json.loads((self.out / "parity.json").read_text())
        cases = {}  # the keys but for the provider, by provider and backend
        for case in report["cases"]:
            params = dict(case["params"])
            provider = params.pop("provider")
            kind = "known bug" if provider.startswith("known-bug-") else provider
            cases.setdefault((kind, params["backend"]), set()).add(json.dumps(params, sort_keys=True))
        for backend in ("cpu", "cuda-sim"):
            self.assertEqual(cases["vparity", backend], cases["known bug", backend])
            self.assertEqual(cases["plain", backend], cases["known bug", backend])

    def test_a_used_folder_is_refused(self):
        result = subprocess.run([PROGRAM, "selftest", "--out", str(self.out)], capture_output=True, text=True, timeout=60)
        self.assertEqual(result.returncode, 2)
        self.assertIn("is not an empty directory", result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
