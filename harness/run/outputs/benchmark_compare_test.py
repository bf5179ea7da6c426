#!/usr/bin/env python3
"""benchmark.json in the hands of Google Benchmark's own compare.py (Debian: libbenchmark-tools).
Usage: benchmark_compare_test.py VPARITY"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import throughput_case

PROGRAM = sys.argv[1]
COMPARE = pathlib.Path("/usr/share/benchmark/compare.py")

# The three names that compare.py takes from packages of a hundred megabytes. What it reads of the files does not depend on them.
STAND_INS = {"numpy.py": "class array(list):\n    def any(self):\n        return any(map(bool, self))\n",
             "scipy/__init__.py": "",
             "scipy/stats.py": "import math, types\nfrom numpy import array\n"
                               "def gmean(rows):\n    return array(math.exp(sum(map(math.log, c)) / len(c)) for c in zip(*rows))\n"
                               "def mannwhitneyu(a, b, alternative):\n    return types.SimpleNamespace(pvalue=0.5)\n"}


@unittest.skipUnless(COMPARE.exists(), f"{COMPARE} is not there: libbenchmark-tools")
class BenchmarkJson(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name, text in STAND_INS.items():
            file = self.folder / "stand-ins" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)

    def benchmark(self, name, *cases):
        run = throughput_case.write_run(self.folder / name, name, cases)
        subprocess.run([PROGRAM, "report", run], check=True, capture_output=True, timeout=60)
        return run / "benchmark.json"

    def compare(self, *words):
        result = subprocess.run([sys.executable, COMPARE, "-d", self.folder / "diff.json", *map(str, words)], capture_output=True,
                                text=True, timeout=60, env={"PYTHONPATH": str(self.folder / "stand-ins"), "PATH": "/usr/bin:/bin"})
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads((self.folder / "diff.json").read_text())

    def test_every_repetition_and_the_median_are_compared(self):
        diff = self.compare("benchmarks", self.benchmark("a", throughput_case.timed(1000, 0.005)),
                            self.benchmark("b", throughput_case.timed(1000, 0.006)))
        by_name = {entry["name"]: entry for entry in diff}
        key = ",dp=1,tp=2,vocab=1000,"
        self.assertEqual(set(by_name), {key, key + "_median", "OVERALL_GEOMEAN"})
        self.assertEqual(by_name[key]["run_type"], "iteration")
        self.assertEqual([round(one["time"], 9) for one in by_name[key]["measurements"]], [0.2, 0.2, 0.2])
        self.assertEqual(by_name[key + "_median"]["aggregate_name"], "median")
        self.assertEqual(by_name[key]["measurements"][0]["real_time"], 5e6)  # ns
        self.assertAlmostEqual(by_name["OVERALL_GEOMEAN"]["measurements"][0]["time"], 0.2)

    def test_cases_that_failed_are_left_out(self):
        failed = throughput_case.timed(2000, 0.005, status="failed", reason={"code": "mismatch", "text": "wrong"})
        file = self.benchmark("a", throughput_case.timed(1000, 0.005), failed)
        self.assertNotIn("vocab=2000", file.read_text())
        self.assertEqual(len(self.compare("benchmarks", file, file)), 3)

    def test_one_kernel_set_is_compared_with_another_in_one_file(self):
        file = self.benchmark("a", throughput_case.timed(1000, 0.005), throughput_case.timed(2000, 0.01))
        diff = self.compare("filters", file, "vocab=1000", "vocab=2000")
        self.assertAlmostEqual(diff[0]["measurements"][0]["time"], 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
