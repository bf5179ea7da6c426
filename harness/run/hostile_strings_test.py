#!/usr/bin/env python3
"""What files and paths say is said by the program, and neither a terminal nor GitHub obeys it.
Usage: hostile_strings_test.py VPARITY SOURCE_DIR"""

import json

from run_test_support import PROGRAM, RunTest, main

# Line breaks of both kinds, a workflow command of both kinds, a control sequence.
HOSTILE = "x\n::error title=pwn::INJECTED\n\x1b[2J\r::warning::INJECTED ##[error]INJECTED"


class HostileStrings(RunTest):
    def setUp(self):
        super().setUp()
        self.out = self.folder / HOSTILE

    def says(self, result, code, *beginnings):
        """The strings are said, each in a line of the program's own."""
        self.assertEqual(result.returncode, code, result.stderr)
        lines = (result.stdout + result.stderr).split("\n")
        for line in lines:
            self.assertNotRegex(line, r"^\s*::|##\[|[\x00-\x1f\x7f]")
            self.assertNotRegex(line, "^\ufffd", "a line break of the string's own")
        for beginning in beginnings:
            self.assertTrue(any(line.startswith(beginning) and "INJECTED" in line for line in lines), (beginning, lines))

    def matrix(self, provider="vparity"):
        path = self.folder / "matrix.json"
        path.write_text(json.dumps({
            "schema": "vparity.matrix/1", "name": "small", "defaults": {"tokens": 4, "seed": 7, "provider": provider},
            "sweeps": [{"name": "all", "measure": ["parity"], "axes": {"tp": [1, 2], "vocab": [8]},
                        "exclude": [{"when": {"tp": 2}, "reason": HOSTILE}]}]}))
        return str(path)

    def known(self, expiry="9999-12-31"):
        path = self.folder / "known.json"
        entry = {"match": "*", "reason": HOSTILE, "owner": HOSTILE, "issue": HOSTILE, "expiry": expiry}
        path.write_text(json.dumps({"schema": "vparity.known-failures/1", "entries": [entry]}))
        return ["--launcher", "threads", "--known-failures", str(path)]

    def test_known_failure(self):
        result = self.run_matrix(self.matrix("known-bug-entropy-sign"), *self.known(), "-v")
        self.says(result, 77, "known 1: ", "  excluded ", "report: ")

    def test_expired_entry(self):
        self.says(self.run_matrix(self.matrix(), *self.known("2001-01-01")), 1, "known failure '*': expired", "report: ")

    def test_unexpected_pass_in_each_command(self):
        self.says(self.run_matrix(self.matrix(), *self.known()), 1, "known failure '*': passed", "report: ")
        merged = self.folder / f"merged {HOSTILE}"
        self.says(self.run_it(PROGRAM, "merge", str(self.out), "--out", str(merged)), 1, "known failure '*': passed", "report: ")
        self.says(self.run_it(PROGRAM, "report", str(merged)), 0, f"{self.folder}/merged")

    def test_operands_that_are_saved(self):
        result = self.run_matrix(self.matrix("known-bug-entropy-sign"), "--launcher", "threads", "--save-failing", str(self.out) + "saved")
        self.says(result, 1, "operands of case ")

    def test_path_that_begins_a_line(self):
        self.run_matrix(self.matrix(), "--launcher", "threads")
        (self.folder / "::error::INJECTED").symlink_to(self.out)
        result = self.run_it(PROGRAM, "report", "::error::INJECTED", cwd=self.folder)
        self.assertEqual(result.stdout.split("\n")[:2], [f"\ufffd:error::INJECTED/{file}" for file in ("junit.xml", "summary.md")])

    def test_plan(self):
        self.says(self.run_it(PROGRAM, "plan", self.matrix()), 0, "       1 of all: ")

    def test_complaints(self):
        self.says(self.run_it(PROGRAM, "plan", HOSTILE), 2, "vparity: ")
        self.says(self.run_it(PROGRAM, "plan", f"--{HOSTILE}"), 2)
        path = self.folder / "wrong.json"
        path.write_text(json.dumps({HOSTILE: 1}))
        self.says(self.run_it(PROGRAM, "plan", str(path)), 2, "vparity: ")


if __name__ == "__main__":
    main()
