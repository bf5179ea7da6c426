#!/usr/bin/env python3
"""`vparity run` with the real ranks. Usage: program_test.py VPARITY SOURCE_DIR"""

import json
import os
import pty
import re
import shlex
import signal
import subprocess
import unittest

from run_test_support import PATIENCE_S, SMOKE, SOURCE, RunTest, main, processes_with

CI = str(SOURCE / "matrices" / "ci.json")


class Runs(RunTest):
    def passes(self, launcher):
        result = self.run_matrix(SMOKE, "--launcher", launcher)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        report = self.report()
        planned = report["summary"]["planned"]
        self.assertEqual(result.stdout.splitlines()[-1], f"{planned} passed, 0 failed, 0 skipped")
        self.assertTrue(0 < report["summary"]["worst"]["error_ratio"] <= 1)
        return report

    def refused(self, *options, says):
        result = self.run_matrix(SMOKE, *options)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(result.stdout, "")
        self.assertIn(says, result.stderr)
        self.assertFalse((self.out / "journal.jsonl").exists())


class WithThreads(Runs):
    def test_smoke_matrix_passes(self):
        report = self.passes("threads")
        self.assertEqual({case["params"]["transport"] for case in report["cases"]}, {"threads"})
        self.assertTrue(report["provenance"]["simd"])

    def test_repeat_command_repeats_just_that_case(self):
        case = self.passes("threads")["cases"][3]
        result = self.run_it(*shlex.split(case["repeat"]), cwd=self.out)
        self.assertEqual(result.stdout.splitlines()[-1], "1 passed, 0 failed, 0 skipped", result.stderr)
        repeated = next(self.out.glob("vparity-out/smoke-*Z/parity.json"))
        self.assertEqual(json.loads(repeated.read_text(encoding="utf-8"))["cases"][0]["id"], case["id"])

    def test_wrong_options_are_refused_before_any_work(self):
        self.refused("--launcher", "srun", says="known: threads, mpirun")
        self.refused("--launcher", "thread", says="did you mean threads?")
        self.refused("--only", "throughput", says="no sweep measures throughput")
        self.refused("--timeout", "0", says="--timeout")
        self.refused("--max-failures", "0", says="--max-failures")
        self.refused("--resume", says="journal.jsonl")
        self.refused("--launcher", "threads", "--transport", "mpi", says="--transport")

    def test_backend_that_is_not_there_skips_everything(self):
        result = self.run_matrix(SMOKE, "--launcher", "threads", "--backend", "cuda")
        self.assertEqual(result.returncode, 77, result.stderr)
        self.assertRegex(result.stdout.splitlines()[-1], r"\A0 passed, 0 failed, \d+ skipped\Z")
        self.report()

    def test_without_a_device_every_case_of_cuda_is_skipped_with_the_reason(self):
        result = self.run_matrix(SMOKE, "--launcher", "threads", "--backend", "cuda")
        cases = self.report()["cases"]
        codes = {case["reason"]["code"] for case in cases if case["reason"]}
        if not codes & {"no_device", "not_built"}:
            self.skipTest("there is a device")
        self.assertEqual(result.returncode, 77, result.stderr)
        self.assertEqual({case["status"] for case in cases}, {"skipped"})
        reasons = {case["reason"]["text"] for case in cases}
        self.assertEqual(len(reasons), 1)
        self.assertIn(f"skipped {len(cases)}: {reasons.pop()}", result.stdout.splitlines())

    def test_required_device_that_is_missing_is_an_error_of_the_infrastructure(self):
        result = self.run_matrix(SMOKE, "--launcher", "threads", "--require-device")
        self.assertEqual(result.returncode, 3, result.stderr)  # the matrix asks for none
        self.assertIn("--require-device: no case ran on a device", result.stderr)

    def test_nccl_goes_with_gpus_alone(self):
        result = self.run_matrix(SMOKE, "--transport", "nccl", "--backend", "cpu")
        if "no MPI" in result.stderr:
            self.skipTest("built without MPI")
        self.assertEqual(result.returncode, 77, result.stderr)
        self.assertEqual({case["reason"]["code"] for case in self.report()["cases"]}, {"not_offered"})

    def test_automatic_backend_is_said_and_reported_as_the_one_that_ran(self):
        result = self.run_matrix(SMOKE, "--launcher", "threads", "--backend", "auto")
        self.assertEqual(result.returncode, 0, result.stderr)
        said = re.search(r"^vparity run: --backend auto: runs on (cpu|cuda) \(.+\)$", result.stderr, re.M)
        self.assertIsNotNone(said, result.stderr)
        report = self.report()
        self.assertEqual({case["params"]["backend"] for case in report["cases"]}, {said[1]})
        self.assertEqual(report["hosts"][0]["gpus"] != [], said[1] == "cuda")

    def test_terminal_shows_progress_in_one_line(self):
        parent, child = pty.openpty()
        run = subprocess.Popen(self.command(SMOKE, "--launcher", "threads"), stdout=child, stderr=child, env={**os.environ, "TERM": "xterm"})
        os.close(child)
        shown = b""
        try:
            while piece := os.read(parent, 4096):
                shown += piece
        except OSError:
            pass  # the terminal is gone with its last writer
        self.assertEqual(run.wait(), 0)
        self.assertIn(b"\r\x1b[K0/", shown)
        self.assertRegex(shown.splitlines()[-1], rb"\A\d+ passed, 0 failed, 0 skipped\Z")


class WithMpirun(Runs):
    def setUp(self):
        super().setUp()
        self.skip_without_mpi()

    def test_smoke_matrix_passes(self):
        report = self.passes("mpirun")
        self.assertIn("MPI", report["provenance"]["libraries"]["mpi"])

    def test_interrupt_leaves_a_valid_report_and_no_process(self):
        run = self.started(CI, "--launcher", "mpirun")
        run.send_signal(signal.SIGINT)
        self.assertEqual(run.wait(PATIENCE_S), 130)
        self.assertEqual(processes_with(str(self.out)), [])
        self.assertFalse(self.report()["run"]["complete"])

    def test_rank_that_dies_is_reported_and_no_process_is_left(self):
        run = self.started(CI, "--launcher", "mpirun", "--filter", "*,dp=1,*,tp=4,*", "--max-failures", "1")
        ranks = [pid for pid, words in processes_with(str(self.out)) if "vparity-worker" in words.split("\0")[0]]
        os.kill(ranks[-1], signal.SIGKILL)
        self.assertEqual(run.wait(PATIENCE_S), 1)
        self.assertEqual(processes_with(str(self.out)), [])
        summary = self.report()["summary"]
        self.assertEqual(summary["crashed"], 1)
        self.assertGreater(summary["not_run"], 0)


if __name__ == "__main__":
    main()
