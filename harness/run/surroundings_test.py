#!/usr/bin/env python3
"""A run gives the same report whatever surrounds it. Usage: surroundings_test.py VPARITY SOURCE_DIR threads|mpirun"""

import contextlib
import itertools
import json
import os
import pathlib
import pty
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

from report_times import without_times

PROGRAM = pathlib.Path(sys.argv[1]).absolute()
SOURCE = pathlib.Path(sys.argv[2])
LAUNCHER = sys.argv[3]

PATIENCE_S = 100
NOBODY = 65534

MATRIX = {
    "schema": "vparity.matrix/1",
    "name": "surroundings",
    "defaults": {"tokens": 6, "seed": 5},
    "sweeps": [
        {"name": "plain", "cases": [{"tp": 2, "vocab": 33, "temperature": 0.5, "logits": "nonfinite"}]},
        {"name": "wide", "cases": [{"tp": 1, "dp": 2, "vocab": 1003, "softcap": 2.5, "dtype": "bf16"}]},
    ],
}


def without_what_may_differ(report):
    report = without_times(report)
    del report["fingerprint"]  # of the environment too
    for name in ("id", "started", "finished", "argv"):
        del report["run"][name]
    for host in report["hosts"]:
        del host["environment"]
    for case in report["cases"]:
        del case["repeat"]
    return report


class Surroundings(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="vparity-surroundings-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.folder.chmod(0o777)
        cls.matrix = cls.folder / "matrix.json"
        cls.matrix.write_text(json.dumps(MATRIX), encoding="utf-8")
        cls.usual = cls().report_of("usual")

    def command(self, out, matrix=None, program=PROGRAM):
        return list(map(str, [program, "run", matrix or self.matrix, "--launcher", LAUNCHER, "--out", out]))

    def report_of(self, name, matrix=None, program=PROGRAM, environment=None, **surroundings):
        """The report of a run in these surroundings, which must end well."""
        out = self.folder / name
        run = subprocess.run(
            self.command(out, matrix, program),
            **{"stdin": subprocess.DEVNULL, **surroundings},
            env={**os.environ, **(environment or {})},
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
        )
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertEqual(run.stdout.splitlines()[-1], "2 passed, 0 failed, 0 skipped")
        return self.read(out)

    def read(self, out):
        return without_what_may_differ(json.loads((out / "parity.json").read_text(encoding="utf-8")))

    def is_as_usual(self, name, **surroundings):
        self.assertEqual(self.report_of(name, **surroundings), self.usual)

    def test_locale_with_decimal_commas(self):
        locales = self.folder / "locales"
        locales.mkdir()
        made = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", str(locales / "de_DE.UTF-8")], capture_output=True)
        self.assertEqual(made.returncode, 0, made.stderr)
        words = {"LOCPATH": str(locales), "LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8", "LANGUAGE": "de"}
        decimal = subprocess.run(["locale", "decimal_point"], env={**os.environ, **words}, capture_output=True, text=True)
        self.assertEqual(decimal.stdout, ",\n", decimal.stderr)
        self.is_as_usual("comma", environment=words)

    def test_time_zone(self):
        out = self.folder / "zone"
        subprocess.run(self.command(out), env={**os.environ, "TZ": "Pacific/Kiritimati"}, capture_output=True, check=True)
        started = json.loads((out / "parity.json").read_text(encoding="utf-8"))["run"]["started"]
        now = subprocess.run(["date", "-u", "+%Y-%m-%dT%H"], capture_output=True, text=True, check=True).stdout.strip()
        self.assertTrue(started.startswith(now[:10]) and started.endswith("Z"), (started, now))

    def test_umask_is_kept(self):
        self.is_as_usual("masked", umask=0o077)
        self.assertEqual(stat.S_IMODE((self.folder / "masked" / "parity.json").stat().st_mode), 0o600)

    def test_folders_with_spaces_and_other_letters(self):
        folder = self.folder / "mit Leerzeichen, ü und 'Strich'"
        folder.mkdir()
        matrix = folder / "мой matrix.json"
        shutil.copy(self.matrix, matrix)
        self.is_as_usual(f"{folder.name}/out", matrix=matrix, cwd=folder)

    def test_programs_and_matrix_that_cannot_be_written_by_whoever_runs(self):
        place = self.folder / "read-only"
        place.mkdir()
        for program in (PROGRAM, PROGRAM.with_name("vparity-worker")):
            shutil.copy2(program, place)
        shutil.copy(self.matrix, place)
        for path in (*place.iterdir(), place):
            path.chmod(0o555)
        # For root no folder is read-only.
        whoever = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
        self.is_as_usual("by-nobody", program=place / "vparity", matrix=place / "matrix.json", cwd=place, **whoever)
        self.assertEqual(sorted(path.name for path in place.iterdir()), ["matrix.json", "vparity", "vparity-worker"])

    def test_closed_standard_streams(self):
        """Nothing that is said goes into a file of the run in their place."""
        for count in range(1, 4):
            for closed in itertools.combinations(range(3), count):
                with self.subTest(closed=closed):
                    out = self.folder / f"closed{closed}"
                    run = subprocess.run(self.command(out), capture_output=True, text=True, timeout=PATIENCE_S,
                                         preexec_fn=lambda: [os.close(stream) for stream in closed])
                    self.assertEqual((run.returncode, run.stderr), (0, ""))
                    self.assertEqual(run.stdout.splitlines()[-1:], [] if 1 in closed else ["2 passed, 0 failed, 0 skipped"])
                    self.assertEqual(self.read(out), self.usual)
                    for line in (out / "journal.jsonl").read_text(encoding="utf-8").splitlines():
                        self.assertIn("event", json.loads(line))

    def test_environment_of_another_mpi_job(self):
        inside = {"OMPI_COMM_WORLD_RANK": "3", "OMPI_COMM_WORLD_SIZE": "7", "OMPI_UNIVERSE_SIZE": "7"}
        inside |= {"PMIX_RANK": "3", "PMIX_NAMESPACE": "another", "PMI_RANK": "3", "PMI_SIZE": "7"}
        settings = {"OMPI_MCA_btl": "nonsense", "OMPI_MCA_rmaps_base_oversubscribe": "0", "OMPI_MCA_hwloc_base_binding_policy": "core"}
        self.is_as_usual("inside", environment=inside | settings)

    def test_settings_that_change_what_mpirun_says_and_where_it_starts(self):
        names = ("orte_tag_output", "orte_timestamp_output", "orte_xml_output", "rmaps_base_no_oversubscribe")
        settings = {f"OMPI_MCA_{name}": "1" for name in names}
        settings |= {"OMPI_MCA_rmaps_base_mapping_policy": "ppr:1:node", "OMPI_MCA_orte_default_hostfile": "/nowhere/hosts"}
        for name, value in settings.items():
            with self.subTest(name):
                self.is_as_usual(name, environment={name: value})

    def test_rank_of_another_mpi_job(self):
        out = self.folder / "rank"
        if not shutil.which("mpirun"):
            self.skipTest("no mpirun")
        outer = ["mpirun", *(["--allow-run-as-root"] if os.geteuid() == 0 else []), "-n", "1", *self.command(out)]
        run = subprocess.run(outer, capture_output=True, text=True, timeout=PATIENCE_S)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertEqual(self.read(out)["summary"], self.usual["summary"])

    def test_narrow_terminal_without_colour(self):
        out = self.folder / "terminal"
        parent, child = pty.openpty()
        words = {"COLUMNS": "80", "LINES": "24", "NO_COLOR": "1", "TERM": "dumb"}
        run = subprocess.Popen(self.command(out), stdin=child, stdout=child, stderr=child, env={**os.environ, **words})
        os.close(child)
        shown = b""
        with contextlib.suppress(OSError):  # the terminal is gone with its last writer
            while piece := os.read(parent, 4096):
                shown += piece
        os.close(parent)
        self.assertEqual(run.wait(PATIENCE_S), 0, shown)
        self.assertNotRegex(shown, rb"\x1b|\r(?!\n)")
        self.assertEqual(self.read(out), self.usual)

    def test_two_runs_at_once(self):
        outs = [self.folder / "one", self.folder / "two"]
        runs = [subprocess.Popen(self.command(out), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for out in outs]
        for run, out in zip(runs, outs):
            self.assertEqual(run.wait(PATIENCE_S), 0, run.stderr.read())
            run.stderr.close()
            self.assertEqual(self.read(out), self.usual)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
