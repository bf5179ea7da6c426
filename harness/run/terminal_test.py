#!/usr/bin/env python3
"""What a run says at its end, to a terminal and to a file.
Usage: terminal_test.py VPARITY"""

import json
import os
import pathlib
import pty
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv[1])
MATRIX = {"schema": "vparity.matrix/1", "name": "small", "defaults": {"tokens": 4, "seed": 7}, "sweeps": [
    {"name": "right", "measure": ["parity"], "axes": {"vocab": [8, 9]}},
    {"name": "wrong", "measure": ["parity"], "axes": {"tp": [2], "vocab": [64], "label_smoothing": [0.1],
                                                      "provider": ["known-bug-local-smoothing"]}}]}
COLOUR = re.compile("\x1b\\[3[0-9]m")
COLUMNS = 80


class Terminal(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "small.json").write_text(json.dumps(MATRIX))
        self.words = [PROGRAM, "run", str(self.folder / "small.json"), "--launcher", "threads", "--out", str(self.folder / "out")]

    def to_file(self):
        return subprocess.run(self.words, capture_output=True, text=True, timeout=60).stdout

    def to_terminal(self, **variables):
        """What a terminal gets."""
        surroundings = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        ours, its = pty.openpty()
        process = subprocess.Popen(self.words, stdout=its, stderr=its, env={**surroundings, "TERM": "xterm", **variables})
        os.close(its)
        text = b""
        try:
            while part := os.read(ours, 65536):
                text += part
        except OSError:  # the other end is closed
            pass
        os.close(ours)
        process.wait(timeout=60)
        return text.decode()

    def test_file_gets_no_control_sequences(self):
        self.assertNotIn("\x1b", self.to_file())

    def test_terminal_gets_what_failed_in_red(self):
        text = self.to_terminal()
        red = re.findall("\x1b\\[31m(.*?)\x1b\\[0m", text, re.DOTALL)
        self.assertEqual(red[0], "failed")
        self.assertTrue(red[1].startswith("wrong "), red)
        self.assertEqual(len(red), 2)

    def test_terminal_without_colours_gets_none(self):
        self.assertNotRegex(self.to_terminal(NO_COLOR="1"), COLOUR)

    def test_dumb_terminal_gets_what_a_file_gets(self):
        self.assertNotIn("\x1b", self.to_terminal(TERM="dumb"))

    def test_table_says_where_the_worst_error_ratio_of_each_sweep_is(self):
        text = self.to_file()
        report = json.loads((self.folder / "out" / "parity.json").read_text())
        head, right, wrong = re.search(r"^(sweep .*)\n(right .*)\n(wrong .*)$", text, re.M).groups()
        self.assertEqual(head.split(), ["sweep", "cases", "passed", "worst", "output", "case"])
        cases = report["cases"]
        for row, name, of_sweep, passed in ((right, "right", cases[:2], 2), (wrong, "wrong", cases[2:], 0)):
            outputs = [(output["error_ratio"], output["name"], case["id"]) for case in of_sweep for output in case["outputs"]]
            error_ratio, output, case = max(outputs)
            self.assertEqual(row.split()[:3], [name, str(len(of_sweep)), str(passed)])
            self.assertAlmostEqual(float(row.split()[3]) / error_ratio, 1, delta=0.01)
            self.assertEqual(row.split()[4:], [output, case])

    def test_worst_failure_is_explained_and_nothing_else_is_wide(self):
        text = self.to_file()
        closing = text[text.index("\nsweep "):]
        self.assertRegex(closing, r"\nworst failure: [0-9a-f]{12} .*label_smoothing=0.1(.*\n)+?  what    grad_logits\[.*\n(.*\n)*  extent  (.*\n)+?  repeat  .*--case")
        for line in closing.splitlines():
            if not line.startswith(("  repeat  ", "report: ")):
                self.assertLessEqual(len(line), COLUMNS, line)

    def test_run_that_passes_explains_no_failure(self):
        self.words += ["--filter", "*,tp=1,*"]
        self.assertNotIn("worst failure", self.to_file())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
