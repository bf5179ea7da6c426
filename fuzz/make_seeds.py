#!/usr/bin/env python3
"""Makes the seeds of the fuzzers: the corpus of the repository, and files that the program writes now, so that they have
today's format. Usage: make_seeds.py VPARITY SEEDS"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

PROGRAM, SEEDS = sys.argv[1], pathlib.Path(sys.argv[2])
HERE = pathlib.Path(__file__).resolve().parent
MATRIX = HERE / "seed_matrix.json"
CORPUS = HERE / "corpus"
KNOWN_FAILURES = CORPUS / "known_failures" / "two-entries.json"


def run(name, options, folder):
    command = [PROGRAM, "run", MATRIX, "--launcher", "threads", "--out", name, *options]
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if not (folder / name / "parity.json").exists():
        sys.exit(f"{command}: {ended.stdout}{ended.stderr}")
    shutil.copy(folder / name / "parity.json", SEEDS / "report" / f"{name}.json")
    shutil.copy(folder / name / "journal.jsonl", SEEDS / "journal" / f"{name}.jsonl")
    subprocess.run([PROGRAM, "history", "add", "history", name], cwd=folder, capture_output=True, check=True)


def main():
    shutil.rmtree(SEEDS, ignore_errors=True)
    shutil.copytree(CORPUS, SEEDS)
    for reader in ("history", "journal", "report"):
        (SEEDS / reader).mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        run("failed", ["--save-failing", "operands"], folder)
        run("excused", ["--known-failures", KNOWN_FAILURES], folder)
        for file in (folder / "history").glob("*/*.json"):
            shutil.copy(file, SEEDS / "history")
        for operands in (folder / "operands").iterdir():
            shutil.copy(operands, SEEDS / "safetensors")


main()
