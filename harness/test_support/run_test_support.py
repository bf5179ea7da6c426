"""For tests of `vparity run`: the program, what it leaves, and the processes that it must not leave."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = os.path.abspath(sys.argv[1])
SOURCE = pathlib.Path(sys.argv[2])
SMOKE = str(SOURCE / "matrices" / "smoke.json")
VALIDATE = [sys.executable, "-B", str(SOURCE / "reports" / "schemas" / "validate.py"), str(SOURCE / "reports" / "schemas" / "parity.schema.json")]

PATIENCE_S = 100


def wait_until(condition):
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError("it did not happen")
        time.sleep(0.05)


def processes_with(text):
    """(process id, command line) of the processes that have `text` in theirs."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = pathlib.Path("/proc", pid, "cmdline").read_bytes().decode(errors="replace")
        except OSError:
            continue
        if text in words and int(pid) != os.getpid():
            found.append((int(pid), words))
    return found


class RunTest(unittest.TestCase):
    """Each test has a folder of its own; its runs go to self.out."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.out = self.folder / "out"

    def command(self, matrix, *options):
        return [PROGRAM, "run", matrix, "--out", str(self.out), *options]

    def run_it(self, *words, **options):
        return subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE_S, **options)

    def run_matrix(self, matrix, *options, **process_options):
        return self.run_it(*self.command(matrix, *options), **process_options)

    def report(self):
        """parity.json, once a strict validator that is not ours has accepted it."""
        validation = self.run_it(*VALIDATE, str(self.out / "parity.json"))
        self.assertEqual(validation.returncode, 0, validation.stderr)
        return json.loads((self.out / "parity.json").read_text(encoding="utf-8"))

    def started(self, matrix, *options):
        """A run that has begun its first case."""
        run = subprocess.Popen(self.command(matrix, *options), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(run.kill)
        journal = self.out / "journal.jsonl"
        wait_until(lambda: journal.exists() and '"event":"case"' in journal.read_text(encoding="utf-8"))
        return run

    def write_matrix(self, cases):
        """A matrix file of these cases, in their order. Small ones, unless they say otherwise."""
        small = {"tp": 2, "tokens": 2}
        matrix = {"schema": "vparity.matrix/1", "name": "small", "defaults": {"seed": 7},
                  "sweeps": [{"name": "all", "measure": ["parity"], "cases": [small | case for case in cases]}]}
        path = self.folder / "small.json"
        path.write_text(json.dumps(matrix), encoding="utf-8")
        return str(path)

    def skip_without_mpi(self):
        probe = self.run_matrix(SMOKE, "--launcher", "mpirun", "--case", "none")
        if "no MPI" in probe.stderr:
            self.skipTest("built without MPI")


def main():
    unittest.main(argv=[sys.argv[0]])
