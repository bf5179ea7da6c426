#!/usr/bin/env python3
"""prints.py passes an example that prints its sentence, and nothing else."""
import os
import pathlib
import subprocess
import sys
import unittest


class Prints(unittest.TestCase):
    def code(self, script, **environment):
        command = [sys.executable, pathlib.Path(__file__).with_name("prints.py"), "The loss is 2.", "sh", "-c", script]
        inherited = {name: value for name, value in os.environ.items() if name != "VPARITY_REQUIRE_DEVICE"}
        return subprocess.run(command, env=inherited | environment, capture_output=True).returncode

    def test_the_sentence_passes(self):
        self.assertEqual(self.code("echo 'The loss is 2.'"), 0)

    def test_another_sentence_more_lines_and_a_failed_program_fail(self):
        self.assertEqual(self.code("echo 'The loss is 3.'"), 1)
        self.assertEqual(self.code("echo 'The loss is 2.'; echo 'The loss is 2.'"), 1)
        self.assertEqual(self.code("echo 'The loss is 2.'; exit 3"), 1)

    def test_a_missing_device_is_skipped_unless_it_is_required(self):
        self.assertEqual(self.code("echo 'no device'; exit 77"), 77)
        self.assertEqual(self.code("echo 'no device'; exit 77", VPARITY_REQUIRE_DEVICE="1"), 1)


if __name__ == "__main__":
    unittest.main()
