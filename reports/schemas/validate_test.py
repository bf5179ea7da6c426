#!/usr/bin/env python3
"""validate.py must refuse what a lenient reader would take. Run as: validate_test.py parity.schema.json"""

import contextlib
import copy
import io
import json
import os
import sys
import tempfile
import unittest

import validate

SCHEMA = sys.argv.pop()

OUTPUT = {
    "name": "loss", "elements": 1, "checked": 1, "mismatches": 1, "nonfinite": 1, "max_abs": 0, "max_rel": 0,
    "max_ulp": 0, "rms": 0, "error_ratio": "Infinity", "nontrivial": 1, "naive": {"max_abs": 0.5, "error_ratio": "Infinity"}, "bound": {"k": 7, "C": 2},
    "worst": {"row": 0, "column": 0, "rank": 0, "expected": 0.5, "actual": "NaN"},
}
CASE = {
    "id": "0123456789ab", "key": ",tp=1,", "params": {"tp": 1}, "status": "failed",
    "reason": {"code": "mismatch", "text": "loss"}, "phase": "done", "attempts": 1, "wall_s": 0.5, "repeat": "vparity",
    "outputs": [OUTPUT], "occurrence": {}, "invariants": [], "rank_agreement": True, "inputs_unchanged": True,
}
REPORT = {
    "schema": "vparity.parity/1",
    "run": {
        "id": "r", "matrix": "m", "started": "2026-01-01T00:00:00Z", "finished": "2026-01-01T00:00:00Z",
        "argv": ["vparity"], "seed": 1, "shard": {"index": 1, "count": 1}, "complete": True,
    },
    "provenance": {
        "version": "0", "git": {"revision": None, "dirty": None},
        "build": {"type": "", "compiler": "", "flags": ""}, "libraries": {}, "simd": None,
    },
    "hosts": [], "fingerprint": "0123456789abcdef",
    "summary": {
        "planned": 1, "passed": 0, "failed": 1, "untrusted": 0, "error": 0, "timeout": 0, "crashed": 0, "skipped": 0,
        "not_run": 0, "dropped": 0, "worst": None,
    },
    "cases": [CASE],
}


def exit_code(text):
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "parity.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        with contextlib.redirect_stderr(io.StringIO()):
            return validate.main([SCHEMA, path])


def changed(change):
    report = copy.deepcopy(REPORT)
    change(report)
    return exit_code(json.dumps(report))


class Validator(unittest.TestCase):
    def test_accepts_a_report(self):
        self.assertEqual(exit_code(json.dumps(REPORT)), 0)

    def test_refuses_an_unknown_key(self):
        self.assertEqual(changed(lambda report: report["cases"][0].update(extra=1)), 1)

    def test_refuses_a_missing_key(self):
        self.assertEqual(changed(lambda report: report["run"].pop("complete")), 1)

    def test_refuses_an_unknown_status(self):
        self.assertEqual(changed(lambda report: report["cases"][0].update(status="fine")), 1)

    def test_refuses_a_skip_without_a_reason(self):
        self.assertEqual(changed(lambda report: report["cases"][0].update(status="skipped", reason=None)), 1)

    def test_refuses_nan_as_a_error_ratio(self):
        self.assertEqual(changed(lambda report: report["cases"][0]["outputs"][0].update(error_ratio="NaN")), 1)

    def test_refuses_the_tokens_nan_and_infinity(self):
        for token in ("NaN", "Infinity", "-Infinity"):
            self.assertEqual(exit_code(json.dumps(REPORT).replace('"actual": "NaN"', f'"actual": {token}')), 1)

    def test_refuses_duplicate_keys(self):
        self.assertEqual(exit_code(json.dumps(REPORT).replace('"hosts": []', '"hosts": [], "hosts": []')), 1)

    def test_refuses_a_truncated_file(self):
        self.assertEqual(exit_code(json.dumps(REPORT)[:-1]), 1)


if __name__ == "__main__":
    unittest.main()
