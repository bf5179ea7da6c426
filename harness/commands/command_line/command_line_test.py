#!/usr/bin/env python3
"""What `vparity` says and how it exits, as a user meets it. Usage: command_line_test.py VPARITY MATRICES"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv[1]
MATRICES = pathlib.Path(sys.argv[2])
COMMANDS = ("run", "plan", "eval", "doctor", "schema", "report", "merge", "compare", "ab", "history", "nightly", "selftest")
SMOKE = str(MATRICES / "smoke.json")


def vparity(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=60)


class CommandLine(unittest.TestCase):
    def refused(self, *arguments, says):
        result = vparity(*arguments)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(result.stdout, "")
        self.assertRegex(result.stderr, r"\Avparity: [^\n]*\n\Z")
        self.assertIn(says, result.stderr)

    def test_version_is_one_line(self):
        result = vparity("--version")
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stdout, r"\Avparity \d+\.\d+\.\d+[^\n]*\n\Z")

    def test_help_names_every_command(self):
        result = vparity("--help")
        self.assertEqual(result.returncode, 0)
        for word in (*COMMANDS, "Exit codes"):
            self.assertIn(word, result.stdout)

    def test_every_command_has_help(self):
        for command in COMMANDS:
            result = vparity(command, "--help")
            self.assertEqual(result.returncode, 0, command)
            self.assertIn(command, result.stdout)

    def test_help_fits_into_80_columns_and_is_explained_for_every_option(self):
        for command in ([], *([name] for name in COMMANDS), *(["history", name] for name in ("add", "merge", "check"))):
            text = vparity(*command, "--help").stdout
            self.assertFalse([line for line in text.splitlines() if len(line) > 80], command)
            self.assertFalse(re.findall(r"^  -\S*(?: \S+)?\n(?! {30}\S)", text, re.M), command)

    def test_help_and_manual_name_the_same_exit_codes(self):
        said = re.findall(r"^ +(\d+|129, 130, 143)  ", vparity("--help").stdout.partition("Exit codes:")[2], re.M)
        manual = (MATRICES.parent / "docs" / "command-line.md").read_text().partition("## Exit codes")[2]
        self.assertEqual(said, re.findall(r"^\| (\d+|129, 130, 143) \|", manual, re.M))

    def test_help_of_selftest_names_every_exit_code(self):
        codes = re.findall(r"^ +([\d, ]+?)  ", vparity("selftest", "--help").stdout.partition("Exit codes:")[2], re.M)
        self.assertEqual(codes, ["0", "1", "2", "3", "4", "129, 130, 143"])

    def test_unknown_arguments_name_the_nearest(self):
        self.refused("pln", SMOKE, says="did you mean plan?")
        self.refused("plan", SMOKE, "--filtre", "x", says="did you mean --filter?")
        self.refused("schema", "matrx", says="did you mean matrix?")
        self.refused("schema", "known-failure", says="did you mean known-failures?")
        self.refused("plan", SMOKE, "--backend", "cud", says="did you mean cuda?")
        self.refused("plan", SMOKE, "--transport", "thread", says="did you mean threads?")

    def test_a_provider_is_chosen_by_name(self):
        self.refused("plan", SMOKE, "--provider", "plian", says="--provider: \"plian\" is not a known provider (did you mean plain?)")
        self.assertEqual(vparity("plan", SMOKE, "--filter", "*,provider=vparity,*", "--provider", "plain").returncode, 2)
        self.assertEqual(vparity("plan", SMOKE, "--filter", "*,provider=plain,*", "--provider", "plain").returncode, 0)

    def test_what_is_printed_must_arrive(self):
        for arguments in (["plan", SMOKE], ["schema", "parity"], ["--help"]):
            with open("/dev/full", "w") as full:
                result = subprocess.run([PROGRAM, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
            self.assertEqual(result.returncode, 3, arguments)
            self.assertIn("standard output", result.stderr)

    def test_only_regular_files_are_read(self):
        with tempfile.TemporaryDirectory() as folder:
            pipe = os.path.join(folder, "pipe")
            os.mkfifo(pipe)
            for path in (pipe, "/dev/zero", folder):
                self.refused("plan", path, says=f"{path}: not a regular file")

    def test_empty_values_are_no_values(self):
        self.refused("run", SMOKE, "--out", "", says="--out: the value is empty")
        self.refused("run", SMOKE, "--save-failing", "", says="--save-failing: the value is empty")
        self.refused("eval", "x", "--out", "", says="--out: the value is empty")
        self.refused("run", SMOKE, "--known-failures", "", says="--known-failures: the value is empty")
        self.refused("report", "x", "--out", "", says="--out: the value is empty")
        self.refused("merge", "x", "--out", "", says="--out: the value is empty")

    def test_missing_arguments(self):
        self.refused(says="a command is missing")
        self.refused("plan", says="MATRIX is required")
        self.refused("report", says="RUN is required")
        self.refused("merge", "x", says="--out is required")
        self.refused("plan", "no/such.json", says="no/such.json: No such file or directory")

    def test_numbers_are_read_whole_and_within_their_range(self):
        for option in ("--seed", "--max-ranks"):
            for bad in ("abc", "", "1e999", "-5", "1.5", "0x10", " 1"):
                self.refused("plan", SMOKE, option, bad, says=option)
        for bad in ("", "1", "0/2", "3/2", "1/0", "a/b", "1/2/3", "-1/2"):
            self.refused("plan", SMOKE, "--shard", bad, says="--shard")

    def test_empty_arguments_are_refused_by_every_command(self):
        for command in ("run", "plan", "eval", "schema", "report", "merge", "compare", "ab"):
            self.refused(command, "", says="the value is empty")
        for command in ("doctor", "selftest"):
            self.refused(command, "", says=f"{command}: unexpected argument")

    def test_empty_selections(self):
        self.refused("plan", SMOKE, "--filter", "*,tp=99,*", says="matches none")
        self.refused("plan", SMOKE, "--filter", "", says="--filter")
        self.refused("plan", SMOKE, "--case", "000000000000", says="no case has the id")

    def test_what_this_version_does_not_measure(self):
        self.refused("plan", SMOKE, "--only", "throughput", says="no sweep measures throughput")
        self.refused("plan", SMOKE, "--only", "thruput", says="throughput")
        self.refused("schema", "thruput", says="throughput")

    def test_plan_ends_with_a_count_that_agrees_with_its_lines(self):
        lines = vparity("plan", SMOKE).stdout.splitlines()
        cases = [line for line in lines if re.match(r"[0-9a-f]{12} ", line)]
        self.assertRegex(lines[-1], rf"^{len(cases)} cases: {len(cases)} to run, 0 to skip; ")

    def test_shards_share_the_plan(self):
        def ids(*options):
            found = re.findall(r"^([0-9a-f]{12}) ", vparity("plan", SMOKE, *options).stdout, re.M)
            return set(found)

        parts = [ids("--shard", f"{i}/3") for i in (1, 2, 3)]
        self.assertEqual(set.union(*parts), ids())
        self.assertEqual(sum(map(len, parts)), len(ids()))

    def test_printed_schemas_are_json_schemas(self):
        for name in ("matrix", "parity", "throughput", "known-failures", "comparison", "night", "case-list"):
            schema = json.loads(vparity("schema", name).stdout)
            self.assertIn("$schema", schema)
            self.assertEqual(schema["type"], "object")
        self.assertEqual(vparity("schema", "matrix").stdout, (MATRICES / "matrix.schema.json").read_text())

    def test_files_that_are_no_matrices(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "bad.json"
            for text, place in (("", ":1:1:"), ('{"schema": "vparity.matrix/1",\n "na', ":2:"), ("[" * 100000, ": nested"),
                                ('{"schema": "vparity.matrix/2", "name": "x", "sweeps": []}', ": /schema:")):
                path.write_text(text)
                self.refused("plan", str(path), says=f"{path}{place}")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
