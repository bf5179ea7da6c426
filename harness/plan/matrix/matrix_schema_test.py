#!/usr/bin/env python3
"""The JSON Schema of matrix files and the program's reader judge a table of documents alike.
Usage: matrix_schema_test.py VPARITY MATRICES"""
import copy
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import jsonschema

PROGRAM = sys.argv[1]
SCHEMA = json.loads((pathlib.Path(sys.argv[2]) / "matrix.schema.json").read_text())

GOOD = {
    "schema": "vparity.matrix/1",
    "name": "test",
    "defaults": {"tokens": 4, "seed": 1},
    "sweeps": [{"name": "s", "axes": {"tp": [1, 2], "vocab": [80]}, "cases": [{"vocab": 3}]}],
}
REMOVED = object()


def changed(*path_and_value):
    """GOOD with the value at a path replaced, added or REMOVED."""
    *path, last, value = path_and_value
    document = copy.deepcopy(GOOD)
    inner = document
    for step in path:
        inner = inner[step]
    if value is REMOVED:
        del inner[last]
    else:
        inner[last] = value
    return document


def axis(name, *values):
    return changed("sweeps", 0, "axes", name, list(values))


ACCEPTED = [
    GOOD,
    changed("defaults", REMOVED),
    changed("sweeps", 0, "cases", REMOVED),
    changed("sweeps", 0, "axes", REMOVED),
    changed("sweeps", 0, "measure", ["parity"]), changed("sweeps", 0, "measure", ["throughput", "parity"]),
    changed("sweeps", 0, {"name": "s", "measure": ["throughput"], "axes": {"vocab": [8], "op": ["forward", "backward"]}}),
    changed("sweeps", 0, "exclude", [{"when": {"tp": 2}, "reason": "r"}]),
    changed("defaults", "seed", 2**63 - 1),
    axis("tp", 1024), axis("tp", 2.0), axis("tokens", 0), axis("vocab", 4194304), axis("ids", 1, 16),
    axis("ignore_index", -(2**63), 0, 2**63 - 1),
    axis("temperature", 1e-3, 0.7, 3e38), axis("softcap", None, 30), axis("label_smoothing", 0, 0.999),
    axis("z_loss", 0, 1e-4), axis("in_place", True, False), axis("chunk", 0, 3),
    axis("grad_of", ["loss"], ["entropy", "logprob"]), axis("mask", "none", "top_k"),
    axis("backend", "cpu", "cuda", "cuda-sim"), axis("provider", "vparity"),
]

REFUSED = [
    [], 3, None, {},
    changed("schema", "vparity.matrix/2"), changed("schema", REMOVED), changed("name", REMOVED),
    changed("name", ""), changed("name", "a/b"), changed("name", 3), changed("unknown", 1),
    changed("sweeps", []), changed("sweeps", {}), changed("sweeps", REMOVED), changed("sweeps", [3]),
    changed("sweeps", 0, {"name": "s"}), changed("sweeps", 0, "name", REMOVED), changed("sweeps", 0, "axis", {}),
    changed("sweeps", 0, "axes", {}), changed("sweeps", 0, "axes", []), changed("sweeps", 0, "axes", "tp", 2),
    changed("sweeps", 0, "axes", "tp", []), changed("sweeps", 0, "cases", []), changed("sweeps", 0, "cases", [{}]),
    changed("sweeps", 0, "cases", [3]), changed("sweeps", 0, "cases", [{"vocab": 3, "tpp": 1}]),
    changed("sweeps", 0, "measure", []), changed("sweeps", 0, "measure", ["speed"]),
    changed("sweeps", 0, "measure", ["parity", "parity"]), changed("sweeps", 0, "measure", "parity"),
    changed("sweeps", 0, "exclude", []), changed("sweeps", 0, "exclude", [{"when": {"tp": 2}}]),
    changed("sweeps", 0, "exclude", [{"reason": "r"}]), changed("sweeps", 0, "exclude", [{"when": {}, "reason": "r"}]),
    changed("sweeps", 0, "exclude", [{"when": {"tp": 0}, "reason": "r"}]),
    changed("sweeps", 0, "exclude", [{"when": {"tp": 2}, "reason": ""}]),
    changed("sweeps", 0, {"name": "s", "cases": [{"vocab": 3}], "exclude": [{"when": {"tp": 2}, "reason": "r"}]}),
    changed("sweeps", 0, "exclude", [{"when": {"tp": 2}, "reason": "r"}] * 101),
    changed("defaults", []), changed("defaults", "seed", -1), changed("defaults", "seed", "1"),
    changed("defaults", "seed", 2**63), changed("defaults", "tp", [1]), changed("defaults", "vocabs", 3),
    axis("vocabs", 8), axis("tp", 0), axis("tp", 1025), axis("tp", "2"), axis("tp", 1.5), axis("tp", None), axis("tp", True),
    axis("tokens", -1), axis("tokens", 1e30), axis("vocab", 0), axis("vocab", 4194305), axis("vocab", None),
    axis("ids", 17), axis("ignore_index", 2**63), axis("temperature", 0), axis("temperature", -1), axis("temperature", 1e39),
    axis("temperature", "1"), axis("softcap", 0), axis("softcap", False), axis("label_smoothing", 1),
    axis("z_loss", -1e-9), axis("in_place", 1), axis("in_place", "true"), axis("grad_of", "loss"), axis("grad_of", []),
    axis("grad_of", ["loss", "loss"]), axis("grad_of", ["losses"]), axis("mask", "topk"), axis("mask", 0), axis("op", "reverse"),
    axis("provider", ""), axis("provider", "a,b"), axis("backend", "cuda_sim"),
]


def reader_accepts(document):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "matrix.json"
        path.write_text(json.dumps(document))
        result = subprocess.run([PROGRAM, "plan", str(path)], capture_output=True, text=True, timeout=60)
    assert result.returncode in (0, 2), result
    return result.returncode == 0


class MatrixSchema(unittest.TestCase):
    def test_is_a_schema(self):
        jsonschema.Draft202012Validator.check_schema(SCHEMA)

    def test_agrees_with_the_reader(self):
        validator = jsonschema.Draft202012Validator(SCHEMA)
        for documents, good in ((ACCEPTED, True), (REFUSED, False)):
            for document in documents:
                with self.subTest(document=json.dumps(document)):
                    self.assertEqual(validator.is_valid(document), good, "schema")
                    self.assertEqual(reader_accepts(document), good, "reader")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
