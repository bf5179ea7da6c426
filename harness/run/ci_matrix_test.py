#!/usr/bin/env python3
"""What a report of the CI matrix shows: bounds that bite, relations that were looked at.
Usage: ci_matrix_test.py VPARITY SOURCE_DIR [OPTION of run...]"""

import collections
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv[1])
SOURCE = pathlib.Path(sys.argv[2])
OPTIONS = sys.argv[3:]

ROW_OUTPUTS = ["logprob", "entropy", "lse", "loss", "grad_logits"]
OUTPUTS = [*ROW_OUTPUTS, "loss_mean", "entropy_mean"]
SUMS_OF_ROWS = ["loss_sum_of_rows", "entropy_mean_of_rows"]
FREE = [*SUMS_OF_ROWS, "gradient_row_sum", "entropy_range", "rank_agreement"]
RELATIONS = [
    "shifted_rows", "permuted_vocabulary", "other_tp", "other_layout", "other_chunk", "deleted_columns", "single_row",
]
LEAST_MEDIAN = 0.005


class CiMatrix(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "out"
            matrix = str(SOURCE / "matrices" / "ci.json")
            command = [PROGRAM, "run", matrix, "--out", str(out), "--timeout", "300", *OPTIONS]
            cls.result = subprocess.run(command, capture_output=True, text=True, timeout=850)
            cases = json.loads((out / "parity.json").read_text(encoding="utf-8"))["cases"]
            cls.skipped = [case for case in cases if case["status"] == "skipped"]
            cls.cases = [case for case in cases if case["status"] != "skipped"]

    def outputs(self, name):
        for case in self.cases:
            for output in case["outputs"]:
                if output["name"] == name and output["nontrivial"] > 0:
                    yield case, output

    def invariants(self, name):
        return [found for case in self.cases for found in case["invariants"] if found["name"] == name]

    def test_right_kernels_pass(self):
        self.assertEqual(self.result.returncode, 0, self.result.stdout + self.result.stderr)

    def test_own_kernels_skip_nothing(self):
        self.assertEqual([case["key"] for case in self.skipped if case["params"]["provider"] == "vparity"], [])

    def test_median_error_ratios_show_that_the_bounds_bite(self):
        for name in [*ROW_OUTPUTS, "loss_mean"]:
            error_ratios = [output["error_ratio"] for _, output in self.outputs(name) if not isinstance(output["error_ratio"], str)]
            self.assertGreater(len(error_ratios), 500, name)
            self.assertGreater(statistics.median(error_ratios), LEAST_MEDIAN, name)

    def test_mean_entropy_is_held_to_its_rows(self):
        """The errors of its rows cancel out, not so their bounds: its own bound is wide, and what bites is the sum of its rows."""
        shares = []
        for case, output in self.outputs("entropy_mean"):
            bound_of_rows = next((found["bound"] for found in case["invariants"] if found["name"] == "entropy_mean_of_rows"), None)
            if bound_of_rows is not None and output["error_ratio"] > 0:
                own_bound = output["max_abs"] / output["error_ratio"]
                shares.append(bound_of_rows / own_bound)
        self.assertGreater(len(shares), 500)
        self.assertLess(statistics.median(shares), 0.1)

    def test_table_has_a_line_for_each_output(self):
        lines = [line.split() for line in self.result.stdout.splitlines()]
        table = {words[0]: words for words in lines if words and words[0] in OUTPUTS}
        self.assertEqual(list(table), OUTPUTS)
        self.assertEqual(int(table["entropy"][1]), sum(1 for _ in self.outputs("entropy")))

    def test_naive_arithmetic_is_recorded_and_mostly_caught_in_16_bits(self):
        error_ratios = collections.defaultdict(list)
        for name in ROW_OUTPUTS:
            for case, output in self.outputs(name):
                self.assertIn("naive", output, case["key"])
                error_ratios[name, case["params"]["dtype"] == "fp32"].append(float(output["naive"]["error_ratio"]))
        for name in ROW_OUTPUTS:
            self.assertGreater(statistics.median(error_ratios[name, False]), 1, name)

    def test_every_invariant_was_looked_at(self):
        for name in FREE:
            self.assertGreater(len(self.invariants(name)), 500, name)
        for name in RELATIONS:
            self.assertGreater(len(self.invariants(name)), len(self.cases) // 20, name)

    def test_related_runs_are_those_of_one_case_in_eight(self):
        for case in self.cases:
            related = {found["name"] for found in case["invariants"]} & set(RELATIONS)
            if case["params"]["tokens"] > 1:
                self.assertEqual(bool(related), case["id"][0] in "08", case["key"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
