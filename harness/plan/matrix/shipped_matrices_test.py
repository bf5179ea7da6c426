#!/usr/bin/env python3
"""The matrices that come with the program hold what is said of them. Usage: shipped_matrices_test.py VPARITY MATRICES"""
import json
import pathlib
import re
import subprocess
import sys
import unittest

import jsonschema

PROGRAM = sys.argv[1]
MATRICES = pathlib.Path(sys.argv[2])
SCHEMA = json.loads((MATRICES / "matrix.schema.json").read_text())
AXES = SCHEMA["$defs"]["axis"]
PARITY_AXES = AXES.keys() - {"op"}

# What CI has no machine for, or asks for by --backend.
NOT_IN_CI = {("backend", "cuda"), ("backend", "cuda-sim"), ("transport", "nccl")}


def listing(name):
    result = subprocess.run([PROGRAM, "plan", str(MATRICES / f"{name}.json")], capture_output=True, text=True, timeout=60)
    assert result.returncode == 0, result.stderr
    return result.stdout


def default_of(axis):
    values = AXES[axis].get("enum")
    return values[0] if values else "false" if AXES[axis].get("type") == "boolean" else None


def cases(name):
    """Each case of a plan as {axis: text}, with the defaults of enumerated axes and switches filled in."""
    defaults = {axis: default_of(axis) for axis in AXES if default_of(axis) is not None}
    defaults.update({"tp": "1", "dp": "1", "tokens": "64", "ids": "1", "chunk": "0", "provider": "vparity"})
    found = []
    for line in listing(name).splitlines():
        if re.match(r"[0-9a-f]{12} ", line):
            found.append({**defaults, **dict(re.findall(r"(\w+)=(\S+)", line))})
    return found


class ShippedMatrices(unittest.TestCase):
    def test_are_valid(self):
        for name in ("smoke", "ci", "nightly", "policy-statistics", "throughput", "device"):
            jsonschema.Draft202012Validator(SCHEMA).validate(json.loads((MATRICES / f"{name}.json").read_text()))
            self.assertEqual(re.findall(r"skipped \((?!memory|no_device|not_built).*", listing(name)), [])

    def test_parity_matrices_run_anywhere(self):
        for name in ("smoke", "ci", "policy-statistics"):
            self.assertRegex(listing(name), r", 0 to skip; ")

    def test_nightly_leaves_out_what_takes_gpus_where_there_are_none(self):
        skipped = [line for line in listing("nightly").splitlines() if "skipped (" in line]
        self.assertEqual([line for line in skipped if "backend cuda: " not in line], [])

    def test_throughput_times_every_call_size_and_way(self):
        found = cases("throughput")
        for axis, values in {"op": ("forward_backward", "forward", "backward"), "tp": ("1", "2", "4"),
                             "vocab": ("32000", "128256", "151936", "262208"), "tokens": ("1", "32", "128", "1024", "8192"),
                             "dtype": ("fp32", "bf16", "fp16"), "mode": ("fast", "gather", "reproducible"),
                             "provider": ("vparity", "vparity-fused", "three-allreduce", "gather-full-grad")}.items():
            self.assertEqual({case.get(axis) for case in found} - {None}, set(values), axis)

    def test_smoke_is_small(self):
        self.assertLessEqual(len(cases("smoke")), 40)

    def test_ci_is_large(self):
        self.assertGreaterEqual(len(cases("ci")), 500)

    def test_ci_covers_every_value_of_every_enumerated_axis(self):
        present = {(axis, value) for case in cases("ci") for axis, value in case.items()}
        for axis in PARITY_AXES:
            values = AXES[axis].get("enum", ["false", "true"] if AXES[axis].get("type") == "boolean" else [])
            for value in values:
                if (axis, value) not in NOT_IN_CI:
                    self.assertIn((axis, value), present)

    def test_ci_moves_every_other_axis(self):
        present = {}
        for case in cases("ci"):
            for axis, value in case.items():
                present.setdefault(axis, set()).add(value)
        for axis in PARITY_AXES - {"provider", "backend"}:
            self.assertGreaterEqual(len(present.get(axis, ())), 1 if default_of(axis) is None else 2, axis)
        self.assertTrue({"loss", "logprob", "entropy"} <= present["grad_of"] | {"loss"})

    def test_ci_covers_sizes(self):
        ci = cases("ci")
        self.assertTrue({("1", "1"), ("2", "1"), ("4", "1"), ("1", "2"), ("2", "2"), ("4", "2"), ("3", "1"), ("8", "1")}
                        <= {(case["tp"], case["dp"]) for case in ci})
        wanted = [1, 2, 3, 5, 31, 127, 128, 129, 1000, 1003, 4098, 32000, 32003, 50257, 65536, 128256, 151936]
        self.assertTrue({str(vocab) for vocab in wanted} <= {case["vocab"] for case in ci})
        for vocab in (32000, 151936):
            self.assertEqual({case["dtype"] for case in ci if case["vocab"] == str(vocab)}, {"fp32", "bf16", "fp16"})

    def test_ci_holds_every_pair_of_option_values(self):
        options = ("dtype", "mode", "layout", "mask", "labels", "weights", "reduction", "in_place", "row_stride",
                   "alignment", "grad_dtype")
        named = [case for case in json.loads((MATRICES / "ci.json").read_text())["sweeps"] if case["name"] == "pairs-of-options"]
        points = named[0]["cases"]
        defaults = {axis: (AXES[axis].get("enum") or [False])[0] for axis in options}
        points = [{**defaults, **point} for point in points]
        used = {axis: {point[axis] for point in points} for axis in options}
        for first in options:
            for second in options:
                if first >= second:
                    continue
                pairs = {(point[first], point[second]) for point in points}
                self.assertEqual(len(pairs), len(used[first]) * len(used[second]), (first, second))

    def test_policy_statistics_holds_what_its_kernels_were_merged_with(self):
        matrix = cases("policy-statistics")
        self.assertTrue({("2", "1"), ("4", "1"), ("2", "2")} <= {(case["tp"], case["dp"]) for case in matrix})
        self.assertEqual({case["dtype"] for case in matrix}, {"fp32", "bf16"})
        self.assertEqual({int(case["vocab"]) % 2 for case in matrix}, {0, 1})
        self.assertIn("ignored_30", {case["labels"] for case in matrix})
        self.assertIn("top_k", {case["mask"] for case in matrix})
        self.assertNotIn("ones", {case["weights"] for case in matrix})

    def test_models_are_those_of_their_sources(self):
        models = json.loads((MATRICES / "models.json").read_text())["models"]
        sizes = {name: model["vocab"] for name, model in models.items()}
        self.assertEqual(sizes, {"llama3": 128256, "qwen3": 151936, "gemma3": 262208, "deepseek-v3": 129280,
                                 "gpt-oss": 201088, "gpt2": 50257})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
