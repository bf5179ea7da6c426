#!/usr/bin/env python3
"""Sweeps whose kernels crash, hang or misbehave on one rank. Each such case stands between good cases.
Usage: crashing_providers_test.py VPARITY SOURCE_DIR LAUNCHER, where VPARITY knows the providers of misbehaviours.cpp."""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
from run_test_support import RunTest, main, processes_with

LAUNCHER = sys.argv[3]
UNDER_MPI = LAUNCHER == "mpirun"
SANITIZED = "--sanitized" in sys.argv

# Misbehaviour: status, and what its reason must say. Rank 1 of 2 misbehaves, in its forward call.
FIRST_FAILING = "first failing rank 1, in phase forward"
PASSES = ("passed", None)
ENDINGS = {
    "exits-0": ("crashed", FIRST_FAILING),
    "exits-7": ("crashed", FIRST_FAILING + (": exit code 7" if UNDER_MPI else "")),
    "throws": ("crashed", FIRST_FAILING + ": thrown on purpose"),
    "throws-late": ("error", "rank 1: thrown on purpose"),
    "aborts": ("crashed", FIRST_FAILING),
    "aborts-group": ("crashed", FIRST_FAILING),
    "segfaults": ("crashed", FIRST_FAILING),
    "is-killed": ("crashed", FIRST_FAILING + (": signal 9 (Killed)" if UNDER_MPI else "")),
    "allocates": ("error", "rank 1: out of memory"),
    "is-slow": PASSES,
    "prints": PASSES,
    "floods": PASSES,
    "sets-locale": PASSES,
}
if UNDER_MPI:
    ENDINGS["kills-launcher"] = ("crashed", "signal 9 (Killed); " + FIRST_FAILING)
if SANITIZED:
    del ENDINGS["allocates"]  # a sanitizer needs more address space than there is

HANGS = {
    "is-stopped": ("timeout", FIRST_FAILING),
    "loops": ("timeout", FIRST_FAILING),
    "loops-late": ("timeout", FIRST_FAILING),
    "ignores-sigterm": ("timeout", FIRST_FAILING),
    "throws": ("timeout", FIRST_FAILING + ": thrown on purpose"),
}


def crashing(misbehaviour, rank=1):
    return f"crashing-{misbehaviour}-on-{rank}"


class CrashingProviders(RunTest):
    def sweep(self, providers, *options, grid={}):
        """The result and the report of a run of a case with each provider, good ones before, between and after them."""
        providers = ["vparity"] + [one for provider in providers for one in (provider, "vparity")]
        cases = [grid | {"vocab": 8 + n, "provider": provider} for n, provider in enumerate(providers)]
        result = self.run_matrix(self.write_matrix(cases), "--launcher", LAUNCHER, *options)
        self.assertEqual(processes_with(str(self.out)), [])
        report = self.report()
        self.assertTrue(report["run"]["complete"])
        for case in report["cases"]:
            self.assertEqual(case["attempts"], 1)
            if case["params"]["provider"] == "vparity":
                self.assertEqual(case["status"], "passed", case["reason"])
        return result, report

    def expect(self, report, provider, status, says):
        case = next(case for case in report["cases"] if case["params"]["provider"] == provider)
        with self.subTest(provider):
            self.assertEqual(case["status"], status, case["reason"])
            if says:
                self.assertIn(says, case["reason"]["text"])
                self.assertEqual(case["phase"], "forward")
        return case

    def expect_all(self, report, expected):
        for misbehaviour, (status, says) in expected.items():
            self.expect(report, crashing(misbehaviour), status, says)

    def test_every_case_is_decided_whatever_the_kernels_of_others_do(self):
        result, report = self.sweep(map(crashing, ENDINGS))
        self.expect_all(report, ENDINGS)
        self.assertEqual(result.returncode, 3, result.stderr)
        words = self.expect(report, crashing("segfaults"), *ENDINGS["segfaults"])["reason"]["text"]
        self.assertIn("log: about to write where nobody may", words)
        log = self.out / "logs" / f"cpu-{'mpi' if UNDER_MPI else 'threads'}-2.log"
        self.assertLess(log.stat().st_size, 10 << 20)  # of 12 MiB that one rank says

    def test_what_cuda_leaves_undefined_is_an_error_that_names_the_line(self):
        lines = (HERE / "crashing_cuda_kernels.cpp").read_text().splitlines()
        cuda = ["crashing-cuda-divergent-barrier", "crashing-cuda-two-barriers", "crashing-cuda-exited-lane"]
        result, report = self.sweep(cuda, grid={"backend": "cuda-sim"})
        self.assertEqual(result.returncode, 3, result.stderr)
        for name in cuda:
            places = "|".join(str(number) for number, line in enumerate(lines, 1) if line.endswith("// " + name))
            case = self.expect(report, name, "error", "crashing_cuda_kernels.cpp:")
            self.assertRegex(case["reason"]["text"], rf"crashing_cuda_kernels\.cpp:({places}): block \(")

    def test_ranks_that_hang_are_ended_at_their_time_limit(self):
        result, report = self.sweep(map(crashing, HANGS), "--timeout", "3")
        self.expect_all(report, HANGS)
        self.assertEqual(result.returncode, 4, result.stderr)

    def test_first_failing_rank_is_named_among_four(self):
        misbehaviours = {("aborts", 2): "crashed", ("aborts", 0): "crashed", ("segfaults", 3): "crashed",
                         ("exits-7", 1): "crashed", ("throws", 1): "crashed", ("loops", 3): "timeout"}
        providers = [crashing(*misbehaviour) for misbehaviour in misbehaviours] + [crashing("is-wrong")]
        result, report = self.sweep(providers, "--timeout", "20", grid={"dp": 2, "tokens": 4})
        self.assertEqual(result.returncode, 1, result.stderr)
        for (misbehaviour, rank), status in misbehaviours.items():
            self.expect(report, crashing(misbehaviour, rank), status, f"first failing rank {rank}, in phase forward")
        wrong = self.expect(report, crashing("is-wrong"), "failed", None)
        self.assertRegex(wrong["reason"]["text"], r"\Aloss of row 0 is \S+ on rank 0 and \S+ on rank 1\Z")


if __name__ == "__main__":
    main()
