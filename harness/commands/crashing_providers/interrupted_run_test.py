#!/usr/bin/env python3
"""What is left of a run whose parent is told to stop, is killed or cannot write, and that the run can be finished.
Usage: interrupted_run_test.py VPARITY SOURCE_DIR LAUNCHER, where VPARITY knows the providers of misbehaviours.cpp."""

import json
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

from report_times import without_times
from run_test_support import PATIENCE_S, SMOKE, RunTest, main, processes_with, wait_until

LAUNCHER = sys.argv[3]


def comparable(report):
    """What an interrupted and an undisturbed run have in common."""
    report = without_times(report)
    del report["run"]["finished"]
    for case in report["cases"]:
        del case["attempts"]
    return report


class InterruptedRun(RunTest):
    """The second of three cases hangs."""

    def setUp(self):
        super().setUp()
        providers = ["vparity", "crashing-loops-on-1", "vparity"]
        self.matrix = self.write_matrix([{"vocab": 8 + n, "provider": provider} for n, provider in enumerate(providers)])

    def hanging_run(self):
        run = self.started(self.matrix, "--launcher", LAUNCHER)
        journal = self.out / "journal.jsonl"
        wait_until(lambda: journal.read_text(encoding="utf-8").count('"event":"case"') == 2)
        return run

    def statuses(self):
        return [(case["status"], case["attempts"]) for case in self.report()["cases"]]

    def ends_in_order(self, stop, code):
        run = self.hanging_run()
        run.send_signal(stop)
        self.assertEqual(run.wait(PATIENCE_S), code)
        self.assertEqual(processes_with(str(self.out)), [])
        self.assertEqual(self.statuses(), [("passed", 1), ("not_run", 1), ("not_run", 0)])
        self.assertFalse(self.report()["run"]["complete"])

    def test_interrupt_leaves_a_valid_report_and_no_process(self):
        self.ends_in_order(signal.SIGINT, 130)

    def test_termination_leaves_a_valid_report_and_no_process(self):
        self.ends_in_order(signal.SIGTERM, 143)

    def test_hangup_leaves_a_valid_report_and_no_process(self):
        self.ends_in_order(signal.SIGHUP, 129)

    def test_hangup_that_is_ignored_ends_nothing(self):
        before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup(1) does; children inherit it
        try:
            run = self.hanging_run()
        finally:
            signal.signal(signal.SIGHUP, before)
        run.send_signal(signal.SIGHUP)
        run.send_signal(signal.SIGTERM)
        self.assertEqual(run.wait(PATIENCE_S), 143)

    def test_killed_parent_takes_its_ranks_along_and_the_run_can_be_finished(self):
        run = self.hanging_run()
        run.kill()
        run.wait()
        wait_until(lambda: processes_with(str(self.out)) == [])
        result = self.run_matrix(self.matrix, "--launcher", LAUNCHER, "--resume", "--timeout", "3")
        self.assertEqual(result.returncode, 4, result.stderr)
        self.assertEqual(self.statuses(), [("passed", 1), ("timeout", 2), ("passed", 1)])
        self.assertTrue(self.report()["run"]["complete"])


class ResumedRun(RunTest):
    """Against one undisturbed run. Threads will do: the launcher has no part in it."""

    def setUp(self):
        super().setUp()
        self.finish()
        self.undisturbed, self.undisturbed_out = self.report(), self.out
        self.journal = (self.out / "journal.jsonl").read_bytes()

    def finish(self, *options):
        result = self.run_matrix(SMOKE, "--launcher", "threads", *options)
        self.assertEqual(result.returncode, 0, result.stderr)

    def starts_from(self, name, journal):
        self.out = self.folder / name
        self.out.mkdir()
        (self.out / "journal.jsonl").write_bytes(journal)

    def test_run_killed_anywhere_ends_as_if_undisturbed(self):
        lines = self.journal.splitlines(keepends=True)
        after_case = sum(map(len, lines[: len(lines) // 2]))
        cuts = [len(lines[0]), len(lines[0]) + 10, after_case, after_case + 30, len(self.journal) - 1, len(self.journal)]
        for cut in cuts:
            with self.subTest(cut=cut):
                self.starts_from(f"cut-{cut}", self.journal[:cut])
                self.finish("--resume")
                self.assertEqual(comparable(self.report()), comparable(self.undisturbed))

    def test_damaged_journal_is_refused_and_kept(self):
        head = self.journal.index(b"\n")
        for name, journal in {"empty": b"", "half-a-head": self.journal[: head // 2], "foreign": b'{"event":"run"}\n',
                              "damaged": self.journal.replace(b'{"event":"result"', b'{"event":', 1),
                              "endless": self.journal.replace(b'"launch_s":', b'"launch_s":1e308,"was":', 1)}.items():
            with self.subTest(name):
                self.starts_from(name, journal)
                result = self.run_matrix(SMOKE, "--launcher", "threads", "--resume")
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn("journal.jsonl:", result.stderr)
                self.assertEqual((self.out / "journal.jsonl").read_bytes(), journal)

    def fails_for_lack_of_space(self, **process_options):
        result = self.run_matrix(SMOKE, "--launcher", "threads", **process_options)
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn(f"cannot write {self.out}", result.stderr)
        self.assertEqual(processes_with(str(self.out)), [])
        self.assertFalse((self.out / "parity.json").exists())

    def is_finished_with_more_space(self):
        self.finish("--resume")
        expected, found = comparable(self.undisturbed), comparable(self.report())
        for report in (expected, found):
            del report["run"]  # another one
        self.assertEqual(found, expected)

    def test_run_that_may_write_no_longer_files_ends_in_order_and_can_be_finished(self):
        def limit_files():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # so that writing fails as on a full disk
            limit = len(self.journal) // 2
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        self.out = self.folder / "limited"
        self.fails_for_lack_of_space(preexec_fn=limit_files)
        self.is_finished_with_more_space()

    def test_run_on_a_full_disk_ends_in_order_and_can_be_finished(self):
        disk = self.folder / "disk"
        disk.mkdir()
        # The page for a browser is many times what the run must write first.
        files = [path for path in self.undisturbed_out.rglob("*") if path.name != "report.html"]
        size = sum(path.stat().st_size for path in files) // 2
        mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(disk)]
        if shutil.which("mount") is None or subprocess.run(mount, capture_output=True).returncode != 0:
            self.skipTest("cannot mount a small disk here")
        self.addCleanup(subprocess.run, ["umount", str(disk)])
        self.out = disk / "out"
        self.fails_for_lack_of_space()
        subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], check=True)
        self.is_finished_with_more_space()

    def test_run_that_cannot_write_its_report_still_says_its_verdict(self):
        journal, report = len(self.journal), (self.out / "parity.json").stat().st_size
        self.assertLess(1.2 * journal, report)
        limit = (journal + report) // 2  # times have more or fewer digits in each run

        def limit_files():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        self.out = self.folder / "limited"
        result = self.run_matrix(SMOKE, "--launcher", "threads", preexec_fn=limit_files)
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn(f"cannot write {self.out}/parity.json", result.stderr)
        planned = self.undisturbed["summary"]["planned"]
        self.assertEqual(result.stdout.splitlines()[-1], f"{planned} passed, 0 failed, 0 skipped")
        self.is_finished_with_more_space()

    def test_files_are_never_seen_half_written(self):
        whole = {"parity.json": json.loads, "junit.xml": ElementTree.fromstring, "summary.md": str}
        for _ in range(5):
            again = subprocess.Popen(self.command(SMOKE, "--launcher", "threads", "--resume"), stdout=subprocess.DEVNULL)
            self.addCleanup(again.kill)
            while again.poll() is None:
                for name, read in whole.items():
                    text = (self.out / name).read_text(encoding="utf-8")
                    read(text)
                    self.assertEqual(text[-1], "\n")
            self.assertEqual(again.returncode, 0)

    def test_output_folder_that_cannot_be_made_is_refused(self):
        for out in ("/proc/self/mem/out", "/proc/out"):
            self.out = pathlib.Path(out)
            result = self.run_matrix(SMOKE, "--launcher", "threads")
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(f"--out: {out}", result.stderr)


if __name__ == "__main__":
    if LAUNCHER == "mpirun":
        del ResumedRun
    main()
