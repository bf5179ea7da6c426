#!/usr/bin/env python3
"""The `script` of the example for GitLab runs here as it would there: line by line in a shell that ends with the first failure.
Usage: gate_test.py VPARITY EXAMPLES"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml


def script_lines():
    text = (EXAMPLES / "gate/gitlab-ci.yml").read_text(encoding="utf-8")
    lines = re.search(r"^  script:\n((?:    - .*\n)+)", text, re.M)[1]
    return [line.removeprefix("    - ") for line in lines.splitlines()]


class Gate(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def run_script(self, matrix):
        environment = os.environ | {"VPARITY": VPARITY, "MATRIX": str(matrix)}
        return subprocess.run(["bash", "-eo", "pipefail", "-c", "\n".join(script_lines())], cwd=self.folder,
                              env=environment, capture_output=True, text=True)

    def test_a_pass_leaves_the_artifacts_that_the_job_names(self):
        result = self.run_script(EXAMPLES / "matrix/my-model.json")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        suites = xml.parse(self.folder / "parity/junit.xml").getroot()
        self.assertEqual(len(suites.findall(".//testcase")), 21)
        self.assertTrue((self.folder / "parity/parity.json").is_file())

    def test_the_exit_code_is_that_of_vparity(self):
        self.assertEqual(self.run_script(self.folder / "absent.json").returncode, 2)


if __name__ == "__main__":
    VPARITY, EXAMPLES = sys.argv[1], pathlib.Path(sys.argv[2])
    unittest.main(argv=sys.argv[:1])
