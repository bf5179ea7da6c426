"""Runs `vparity eval` on small files. Usage: eval_command_test.py VPARITY threads|mpirun"""
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

import eval_cases
import safetensors_io

VPARITY, LAUNCHER = pathlib.Path(sys.argv[1]), sys.argv[2]


def strict_json(text):
    def refuse(token):
        raise ValueError(f"{token} is not JSON")

    return json.loads(text, parse_constant=refuse)


def tensors_of(cases):
    """The cases' rows one below the other."""
    dtype, columns, _ = cases[0].kind()
    logits = [x for case in cases for row in case.logits for x in row]
    labels = [label for case in cases for label in case.labels]
    rows = len(labels)
    tensors = {"logits": (dtype, [rows, columns], logits), "labels": ("I64", [rows], labels)}
    for name in ("grad_logprob", "grad_entropy", "grad_loss"):
        tensors[name] = ("F32", [rows], [g for case in cases for g in case.upstream_of(name)])
    return tensors


def agrees(actual, expected):
    """A few ulps of fp32; the bounds proper are checked by eval itself (its error ratios)."""
    if math.isnan(expected):
        return math.isnan(actual)
    if math.isinf(expected):
        return actual == expected
    return abs(actual - expected) <= 2e-6 * max(1, abs(expected))


class EvalTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="vparity-eval-test-"))
        self.input = self.folder / "in.safetensors"
        self.output = self.folder / "results" / "out.safetensors"
        self.output.parent.mkdir()

    def tearDown(self):
        shutil.rmtree(self.folder)

    def eval(self, *options, program=VPARITY, environment=None, out=None):
        command = [program, "eval", self.input, "--launcher", LAUNCHER, "--out", out or self.output, *options]
        return subprocess.run(
            list(map(str, command)), capture_output=True, text=True, timeout=120, env={**os.environ, **(environment or {})}
        )

    def left_behind(self):
        return sorted(path.name for path in self.output.parent.iterdir())


class KnownResults(EvalTest):
    def test_values_worked_out_by_hand_hold_at_every_tp(self):
        for cases in eval_cases.groups():
            safetensors_io.write(self.input, tensors_of(cases))
            for tp in (1, 2, 3, 4, 8):
                with self.subTest(cases=[case.name for case in cases], tp=tp):
                    self.check(cases, self.eval("--tp", tp, *cases[0].options))

    def check(self, cases, run):
        self.assertEqual(run.returncode, 0, run.stderr)
        results = strict_json(run.stdout)
        for name, error_ratio in results["error_ratios"].items():
            self.assertLessEqual(error_ratio, 1, name)
        outputs = safetensors_io.read(self.output)
        first_row = 0
        for case in cases:
            for name, expected in case.results.items():
                same = agrees(results[name], expected) if isinstance(expected, float) else results[name] == expected
                self.assertTrue(same, f"{case.name}, {name}: {results[name]}, expected {expected}")
            for name, expected in case.expected.items():
                row_elements = len(expected) // len(case.labels)
                actual = outputs[name][2][first_row * row_elements :]
                wrong = [(i, a, e) for i, (a, e) in enumerate(zip(actual, expected)) if not agrees(a, e)]
                self.assertEqual(wrong[:3], [], f"{case.name}, {name}: (element, actual, expected)")
            first_row += len(case.labels)


class Shapes(EvalTest):
    def test_rows_of_all_dp_ranks_and_several_id_columns_come_out_in_order(self):
        rows, columns = 5, 6
        logits = [float((t + 2 * v) % 5) for t in range(rows) for v in range(columns)]
        labels = [0, 5, 3, 3, -100, 1, 2, -100, 4, 0]
        safetensors_io.write(
            self.input,
            {
                "logits": ("F16", [rows, columns], logits),
                "labels": ("I32", [rows, 2], labels),
                "dp_rows": ("I64", [3], [0, 4, 1]),
            },
        )
        for layout in ("ceil", "balanced", "padded"):
            with self.subTest(layout=layout):
                run = self.eval("--tp", 2, "--dp", 3, "--layout", layout)
                self.assertEqual(run.returncode, 0, run.stderr)
                self.assertEqual(strict_json(run.stdout)["valid_tokens"], 4)
                outputs = safetensors_io.read(self.output)
                self.assertEqual(outputs["logprob"][:2], ("F32", [rows, 2]))
                self.assertEqual(outputs["grad_logits"][:2], ("F16", [rows, columns]))
                for t in range(rows):
                    row = logits[t * columns : (t + 1) * columns]
                    lse = math.log(math.fsum(map(math.exp, row)))
                    self.assertTrue(agrees(outputs["lse"][2][t], lse))
                    for k in range(2):
                        label = labels[2 * t + k]
                        expected = 0.0 if label == -100 else row[label] - lse
                        self.assertTrue(agrees(outputs["logprob"][2][2 * t + k], expected))

    def test_no_rows_are_a_result(self):
        safetensors_io.write(self.input, {"logits": ("F32", [0, 8], []), "labels": ("I64", [0, 2], [])})
        run = self.eval("--tp", 2, "--dp", 2)
        self.assertEqual(run.returncode, 0, run.stderr)
        results = strict_json(run.stdout)
        self.assertEqual((results["valid_tokens"], results["loss_mean"], results["entropy_mean"]), (0, 0, 0))
        outputs = safetensors_io.read(self.output)
        self.assertEqual(outputs["logprob"][1], [0, 2])
        self.assertEqual(outputs["grad_logits"][1], [0, 8])

    def test_gather_gives_the_same_bytes_for_every_split(self):
        logits = [math.sin(3.0 * i) * 4 for i in range(3 * 37)]
        safetensors_io.write(self.input, {"logits": ("F32", [3, 37], logits), "labels": ("I64", [3], [0, 18, 36])})
        written = set()
        for split in (["--tp", 1], ["--tp", 3, "--dp", 2], ["--tp", 4, "--layout", "padded", "--chunk", 2]):
            run = self.eval("--mode", "gather", "--batch-invariant", *split)
            self.assertEqual(run.returncode, 0, run.stderr)
            written.add(self.output.read_bytes())
        self.assertEqual(len(written), 1)


class Refusals(EvalTest):
    """Exit code 2, one line that says what, nothing started and nothing left."""

    def setUp(self):
        super().setUp()
        safetensors_io.write(self.input, {"logits": ("F32", [2, 8], [0.0] * 16), "labels": ("I64", [2], [0, 1])})

    def refused(self, words, *options, **how):
        start = time.monotonic()
        run = self.eval("--tp", 2, *options, **how)
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertEqual(run.stdout, "")
        self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
        for word in words:
            self.assertIn(word, run.stderr)
        self.assertEqual(self.left_behind(), [])
        self.assertLess(time.monotonic() - start, 10)

    def test_options_out_of_their_range(self):
        for options, words in (
            (["--temperature", "0"], ["--temperature", "0"]),
            (["--temperature", "nan"], ["--temperature", "nan"]),
            (["--softcap", "-1"], ["--softcap", "-1"]),
            (["--label-smoothing", "1.5"], ["--label-smoothing", "1.5"]),
            (["--z-loss", "-0.1"], ["--z-loss", "-0.1"]),
            (["--chunk", "-1"], ["--chunk", "-1"]),
            (["--mode", "fasr"], ["--mode", "fasr", "fast"]),
            (["--batch-invariant"], ["--batch-invariant", "--mode reproducible or --mode gather"]),
            (["--mode", "reproducible", "--label-smoothing", "0.1"], ["--label-smoothing", "use --mode gather"]),
            (["--backend", "cud"], ["--backend", "cud", "did you mean"]),
            (["--nonsense", "1"], ["--nonsense"]),
        ):
            with self.subTest(options=options):
                self.refused(words, *options)

    def test_cuda_kernels_on_simulated_devices_have_the_bits_of_the_hosts(self):
        """In mode reproducible, on any grid: the same file, byte for byte."""
        written = []
        for options in (["--tp", 1], ["--tp", 3, "--backend", "cuda-sim"], ["--tp", 2, "--dp", 2, "--backend", "cuda-sim"]):
            run = self.eval("--mode", "reproducible", *options)
            self.assertEqual(run.returncode, 0, run.stderr)
            written.append(self.output.read_bytes())
        self.assertEqual(written[0], written[1])
        self.assertEqual(written[0], written[2])

    def test_backend_without_a_device_says_so(self):
        run = self.eval("--backend", "cuda")
        if run.returncode == 0:
            self.skipTest("there is a device")
        self.assertIn(run.returncode, (2, 77))
        self.assertIn("--backend cuda: ", run.stderr)
        self.assertEqual(run.stdout, "")

    def test_label_outside_the_vocabulary(self):
        for label in (8, -1, 2**32 + 3):
            with self.subTest(label=label):
                safetensors_io.write(
                    self.input, {"logits": ("F32", [2, 8], [0.0] * 16), "labels": ("I64", [2], [0, label])}
                )
                self.refused(["label", str(label), "row 1", "8"], "--dp", 2)

    def test_broken_input_is_named_with_file_and_place(self):
        whole = self.input.read_bytes()
        for broken, words in (
            (whole[:-1], ["in.safetensors", "labels", "truncated"]),
            (whole + b"x", ["in.safetensors", "trailing"]),
            (b"", ["in.safetensors", "truncated"]),
            (whole.replace(b'"logits"', b'"logitz"'), ["in.safetensors", "logitz", "did you mean logits"]),
        ):
            with self.subTest(words=words):
                self.input.write_bytes(broken)
                self.refused(words)

    def test_output_that_would_replace_something_else(self):
        link, pipe = self.folder / "link", self.folder / "pipe"
        link.symlink_to(self.input)
        os.mkfifo(pipe)
        before = self.input.read_bytes()
        for out, words in (
            (self.input, ["--out", "is an input file"]),
            (link, ["--out", "is an input file"]),
            (pipe, ["--out", "not a regular file"]),
            (self.folder, ["--out", "is a directory"]),
            (self.folder / "none" / "out", ["--out", "No such file"]),
        ):
            with self.subTest(out=out):
                self.refused(words, out=out)
                self.assertEqual(self.input.read_bytes(), before)
                self.assertTrue(pipe.is_fifo())

    def test_scratch_folder_that_is_not_there(self):
        run = self.eval(environment={"TMPDIR": "/no/such/folder"})
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertIn("/no/such/folder", run.stderr)
        self.assertIn("TMPDIR", run.stderr)

    def test_missing_input(self):
        self.input.unlink()
        self.refused(["in.safetensors", "No such file"])

    def test_rows_dealt_to_another_number_of_ranks(self):
        safetensors_io.write(
            self.input,
            {
                "logits": ("F32", [2, 8], [0.0] * 16),
                "labels": ("I64", [2], [0, 1]),
                "dp_rows": ("I64", [2], [1, 1]),
            },
        )
        self.refused(["dp_rows", "--dp 3"], "--dp", 3)


class Failures(EvalTest):
    def test_out_of_time_leaves_nothing(self):
        rows, columns = 16, 100000
        safetensors_io.write(
            self.input, {"logits": ("F32", [rows, columns], [0.0] * (rows * columns)), "labels": ("I64", [rows], [0] * rows)}
        )
        run = self.eval("--tp", 2, "--timeout", "0.001")
        self.assertEqual(run.returncode, 4, run.stderr)
        self.assertEqual(run.stdout, "")
        self.assertEqual(self.left_behind(), [])

    def eval_with_worker(self, script):
        """A copy of vparity beside a worker that does what `script` says."""
        program = self.folder / "vparity"
        shutil.copy2(VPARITY, program)
        worker = self.folder / "vparity-worker"
        worker.write_text("#!/bin/sh\n" + script)
        worker.chmod(0o755)
        safetensors_io.write(self.input, {"logits": ("F32", [1, 2], [0.0, 0.0]), "labels": ("I64", [1], [0])})
        return self.eval(program=program)

    def test_error_ratio_above_one_is_exit_code_1_with_results(self):
        run = self.eval_with_worker(
            """
            echo '{"event":"ready","world":1}'
            echo '{"event":"output","json":{"error_ratios":{"loss":2}},"status":"failed","reason":"loss is wrong"}'
            echo '{"event":"done"}'
            """
        )
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertEqual(strict_json(run.stdout), {"error_ratios": {"loss": 2}})
        self.assertIn("loss is wrong", run.stderr)
        self.assertEqual(self.left_behind(), ["out.safetensors"])

    def test_rank_that_dies_is_exit_code_3_and_leaves_nothing(self):
        run = self.eval_with_worker("""echo '{"event":"ready","world":1}'; echo last words >&2; kill -9 $$""")
        self.assertEqual(run.returncode, 3, run.stderr)
        self.assertIn("last words", run.stderr)
        self.assertEqual(run.stdout, "")
        self.assertEqual(self.left_behind(), [])

    def test_refusal_of_the_ranks_is_exit_code_2(self):
        run = self.eval_with_worker("""echo '{"event":"refused","message":"not like this"}'; exit 2""")
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertIn("not like this", run.stderr)
        self.assertEqual(self.left_behind(), [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
