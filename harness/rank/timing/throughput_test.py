#!/usr/bin/env python3
"""Throughput runs: what is measured is consistent, checked, valid, repeated and merged.
Usage: throughput_test.py VPARITY LAUNCHER"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import jsonschema

PROGRAM, LAUNCHER = sys.argv[1:3]
SCHEMA = json.loads(subprocess.run([PROGRAM, "schema", "throughput"], capture_output=True, check=True).stdout)

OURS = {"name": "ours", "measure": ["throughput"],
        "axes": {"tp": [1, 2], "mode": ["fast", "gather"], "op": ["forward_backward", "forward", "backward"]}}
OTHERS = {"name": "others", "measure": ["throughput"],
          "axes": {"tp": [1, 2], "provider": ["vparity-fused", "three-allreduce", "gather-full-grad"]}}


def matrix(*sweeps, **defaults):
    return {"schema": "vparity.matrix/1", "name": "t", "defaults": {"vocab": 4096, "tokens": 8, "seed": 3} | defaults,
            "sweeps": list(sweeps)}


class Run:
    """One run of a matrix: exit code, standard output, folder and report."""

    def __init__(self, folder, document, *options, name="run"):
        file = folder / f"{name}.json"
        file.write_text(json.dumps(document))
        self.out = folder / name
        self.result = subprocess.run([PROGRAM, "run", file, "--launcher", LAUNCHER, "--out", self.out, *options],
                                     capture_output=True, text=True, timeout=200)
        report = self.out / "throughput.json"
        self.report = json.loads(report.read_text()) if report.exists() else None

    def case(self, **params):
        found = [case for case in self.report["cases"]
                 if case["op"] == params.get("op", "forward_backward")
                 and all(case["params"].get(name) == value for name, value in params.items() if name != "op")]
        assert len(found) == 1, (params, len(found))
        return found[0]


class Throughput(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.run_ = Run(cls.folder, matrix(OURS, OTHERS))

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def test_passes_and_is_valid(self):
        self.assertEqual(self.run_.result.returncode, 0, self.run_.result)
        self.assertTrue(self.run_.result.stdout.endswith("18 passed, 0 failed, 0 skipped\n"), self.run_.result.stdout)
        jsonschema.Draft202012Validator.check_schema(SCHEMA)
        jsonschema.Draft202012Validator(SCHEMA).validate(self.run_.report)
        self.assertFalse((self.run_.out / "parity.json").exists())

    def test_every_case_of_a_setting_has_the_same_number_of_samples(self):
        for tp in (1, 2):
            cases = [case for case in self.run_.report["cases"] if case["params"]["tp"] == tp]
            counts = {len(case["samples_s"]) for case in cases} | {case["iterations"] for case in cases}
            self.assertEqual(len(counts), 1, counts)
            self.assertGreaterEqual(counts.pop(), 10)

    def test_figures_follow_from_the_samples(self):
        for case in self.run_.report["cases"]:
            samples = sorted(case["samples_s"])
            middle = len(samples) // 2
            median = samples[middle] if len(samples) % 2 else (samples[middle - 1] + samples[middle]) / 2
            self.assertEqual(case["median_s"], median)
            low, high = case["median_interval_s"]
            self.assertTrue(samples[0] <= low <= median <= high <= samples[-1])
            self.assertTrue(samples[0] <= case["p05_s"] <= median <= case["p95_s"] <= samples[-1])
            self.assertAlmostEqual(case["tokens_per_s"] * median, 8)
            self.assertAlmostEqual(case["gb_per_s"] * median * 1e9, case["bytes_per_rank"], delta=1)
            self.assertAlmostEqual(case["share_of_floor"] * median, case["floor_s"])
            self.assertLessEqual(case["rank_skew_s"], samples[-1])

    def test_bytes_are_those_of_the_definition(self):
        shard = 8 * 2048 * 4
        for op, shards in (("forward", 1), ("backward", 2), ("forward_backward", 3)):
            self.assertEqual(self.run_.case(tp=2, mode="fast", provider="vparity", op=op)["bytes_per_rank"], shards * shard)
        self.assertEqual(self.run_.case(tp=2, provider="vparity-fused")["bytes_per_rank"], 2 * shard)
        # The gather reads and writes all shards, and reads them again.
        self.assertEqual(self.run_.case(tp=2, mode="gather", op="forward")["bytes_per_rank"], 3 * 2 * shard)

    def test_collectives_are_counted(self):
        def of(op, tp=2):
            case = self.run_.case(tp=tp, mode="fast", provider="vparity", op=op)
            return case["collectives"], case["bytes_per_token"]
        self.assertEqual(of("forward"), (1, 24))
        self.assertEqual(of("backward"), (0, 0))
        self.assertEqual(of("forward_backward"), (1, 24))
        self.assertEqual(of("forward", tp=1), (0, 0))
        self.assertEqual(self.run_.case(tp=2, provider="three-allreduce")["collectives"], 3)

    def test_extra_memory_is_what_a_kernel_set_keeps_and_takes(self):
        shard = 8 * 2048 * 4
        self.assertLess(self.run_.case(tp=2, mode="fast", provider="vparity")["extra_memory_bytes"], shard / 4)
        self.assertGreaterEqual(self.run_.case(tp=2, mode="gather", op="forward")["extra_memory_bytes"], 2 * shard)
        self.assertGreaterEqual(self.run_.case(tp=2, provider="three-allreduce")["extra_memory_bytes"], 2 * shard)

    def test_speedups_are_ratios_of_the_same_iterations(self):
        fast = self.run_.case(tp=2, mode="fast", provider="vparity")
        self.assertEqual(set(fast["speedup"]), {"gather", "vparity-fused", "three-allreduce", "gather-full-grad"})
        gather = self.run_.case(tp=2, mode="gather")
        ratios = sorted(b / a for a, b in zip(fast["samples_s"], gather["samples_s"]))
        middle = len(ratios) // 2
        expected = ratios[middle] if len(ratios) % 2 else (ratios[middle - 1] + ratios[middle]) / 2
        self.assertAlmostEqual(fast["speedup"]["gather"], expected)
        self.assertAlmostEqual(fast["predicted_speedup"]["gather"] * gather["predicted_speedup"]["fast"], 1)
        self.assertEqual(fast["variant"], "fast")

    def test_one_iteration_was_compared(self):
        names = {"forward": {"logprob", "entropy", "lse", "loss"}, "backward": {"grad_logits"}}
        names["forward_backward"] = names["forward"] | names["backward"]
        for case in self.run_.report["cases"]:
            self.assertEqual({output["name"] for output in case["outputs"]}, names[case["op"]])
            self.assertGreater(max(output["error_ratio"] for output in case["outputs"]), 0)

    def test_table_and_exports_name_the_providers(self):
        self.assertRegex(self.run_.result.stdout, r"tp +dp +vocab +type +tokens +op +kernels +median +GB/s +floor")
        self.assertIn("three-allreduce", self.run_.result.stdout)
        self.assertIn("## Throughput", (self.run_.out / "summary.md").read_text())
        benchmark = json.loads((self.run_.out / "benchmark.json").read_text())
        fast = self.run_.case(tp=2, mode="fast", provider="vparity")
        entries = [entry for entry in benchmark["benchmarks"] if entry["run_name"] == fast["key"]]
        self.assertEqual([entry["real_time"] for entry in entries if entry["run_type"] == "iteration"],
                         [sample * 1e9 for sample in fast["samples_s"]])
        self.assertEqual(entries[-1]["aggregate_name"], "median")

    def test_a_wrong_kernel_set_fails_whatever_its_speed(self):
        wrong = {"name": "wrong", "measure": ["throughput"], "cases": [{"tp": 2, "provider": "known-bug-entropy-sign"}]}
        run = Run(self.folder, matrix(wrong), name="wrong")
        self.assertEqual(run.result.returncode, 1, run.result)
        self.assertEqual(run.report["cases"][0]["status"], "failed")
        self.assertIn("outside_bound", json.dumps(run.report["cases"][0]["reason"]))
        self.assertIn("--only throughput", run.report["cases"][0]["repeat"])

    def test_what_a_kernel_set_declines_is_skipped_and_the_others_go_on(self):
        sweep = {"name": "s", "measure": ["throughput"], "axes": {"tp": [2], "provider": ["vparity", "three-allreduce"]}}
        run = Run(self.folder, matrix(sweep, softcap=30), name="declined")
        self.assertEqual(run.result.returncode, 0, run.result)
        self.assertTrue(run.result.stdout.endswith("1 passed, 0 failed, 1 skipped\n"), run.result.stdout)
        jsonschema.Draft202012Validator(SCHEMA).validate(run.report)

    def test_uneven_rows_and_a_rank_without_any(self):
        sweep = {"name": "s", "measure": ["throughput"], "axes": {"tp": [1], "dp": [2], "dp_rows": ["uneven", "one_empty"]}}
        run = Run(self.folder, matrix(sweep, dtype="bf16", grad_dtype="fp32"), name="uneven")
        self.assertEqual(run.result.returncode, 0, run.result)
        rows = {case["params"]["dp_rows"]: case["bytes_per_rank"] // (4096 * (2 + 2 + 4)) for case in run.report["cases"]}
        self.assertEqual(rows["one_empty"], 8)  # of the rank that has any
        self.assertGreater(rows["uneven"], 4)
        jsonschema.Draft202012Validator(SCHEMA).validate(run.report)

    def test_rows_far_apart_are_read_row_by_row(self):
        sweep = {"name": "s", "measure": ["throughput"], "axes": {"tp": [1], "row_stride": ["packed", "strided", "huge"]}}
        run = Run(self.folder, matrix(sweep), name="strides")
        self.assertEqual(run.result.returncode, 0, run.result)
        packed, strided, huge = run.report["cases"]
        self.assertEqual(packed["bytes_per_rank"], huge["bytes_per_rank"])
        self.assertLess(huge["floor_s"], 1e-3)  # what lies between the rows would take a second

    def test_a_damaged_report_is_refused_with_its_place(self):
        folder = self.folder / "damaged"
        folder.mkdir()
        for member, value in (("median_s", None), ("speedup", None), ("variant", "a\n::error::b"), ("samples_s", [])):
            report = json.loads((self.run_.out / "throughput.json").read_text())
            case = report["cases"][0]
            case.pop(member) if value is None else case.update({member: value})
            (folder / "throughput.json").write_text(json.dumps(report))
            result = subprocess.run([PROGRAM, "report", folder], capture_output=True, text=True)
            self.assertEqual(result.returncode, 2, (member, result))
            self.assertIn("throughput.json: /cases/0", result.stderr)

    def test_both_measures_of_one_sweep(self):
        both = {"name": "both", "measure": ["parity", "throughput"], "axes": {"tp": [1, 2]}}
        run = Run(self.folder, matrix(both), name="both")
        self.assertEqual(run.result.returncode, 0, run.result)
        self.assertTrue(run.result.stdout.endswith("4 passed, 0 failed, 0 skipped\n"), run.result.stdout)
        parity = json.loads((run.out / "parity.json").read_text())
        self.assertEqual([case["id"] for case in parity["cases"]], [case["id"] for case in run.report["cases"]])
        self.assertIn("--only parity", parity["cases"][0]["repeat"])
        before = {file: (run.out / file).read_text() for file in ("junit.xml", "benchmark.json")}
        subprocess.run([PROGRAM, "report", run.out], check=True, capture_output=True)
        self.assertEqual(before, {file: (run.out / file).read_text() for file in before})
        again = Run(self.folder, matrix(both), "--resume", name="both")
        self.assertEqual(again.result.returncode, 0, again.result)
        self.assertEqual(again.report["cases"], run.report["cases"])

    def test_shards_merge(self):
        for part in (1, 2):
            Run(self.folder, matrix(OURS, OTHERS), "--shard", f"{part}/2", name=f"shard{part}")
        merged = self.folder / "merged"
        result = subprocess.run([PROGRAM, "merge", self.folder / "shard1", self.folder / "shard2", "--out", merged],
                                capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result)
        report = json.loads((merged / "throughput.json").read_text())
        jsonschema.Draft202012Validator(SCHEMA).validate(report)
        self.assertEqual([case["id"] for case in report["cases"]], [case["id"] for case in self.run_.report["cases"]])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
