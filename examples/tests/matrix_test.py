#!/usr/bin/env python3
"""The example of a matrix is one that `vparity run` takes and the kernels pass. Usage: matrix_test.py VPARITY EXAMPLES"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest


class Matrix(unittest.TestCase):
    def test_every_case_of_the_example_passes(self):
        with tempfile.TemporaryDirectory() as folder:
            result = subprocess.run([VPARITY, "run", EXAMPLES / "matrix/my-model.json", "--launcher", "threads", "--out",
                                     f"{folder}/out"], capture_output=True, text=True)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            report = json.loads(pathlib.Path(folder, "out/parity.json").read_text(encoding="utf-8"))
        # 3 x 2 x 3 splits without the 3 of tp 4 and dp 2; 2 x 2 masks; 2 single cases.
        self.assertEqual((report["summary"]["planned"], report["summary"]["passed"]), (15 + 4 + 2, 15 + 4 + 2))
        self.assertEqual({case["params"]["vocab"] for case in report["cases"]}, {32003})


if __name__ == "__main__":
    VPARITY, EXAMPLES = sys.argv[1], pathlib.Path(sys.argv[2])
    unittest.main(argv=sys.argv[:1])
