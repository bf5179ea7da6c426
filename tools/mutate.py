#!/usr/bin/env python3
"""Mutation test: do the tests and the gate notice small faults in the CPU kernels?

A mutant is one small change of a kernel source, made in a copy. The tests and the worker are linked with it, and run in
this order: unit tests, matrices/smoke.json, matrices/ci.json. The first failure kills the mutant. A mutant that survives
is either equivalent to the original (tools/equivalent_mutants.json says why) or shows that a case is missing. The script
needs a finished build, and compiles for one instruction set only.

Exit code 0: at least --share of the mutants that are not equivalent were killed; 1: fewer; 2: usage."""

import argparse
import json
import pathlib
import platform
import random
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = ("host/simd/*-inl.h", "reproducible/*-inl.h", "row/*.h", "host/pipeline/*.cpp", "call/global_results.cpp")
# The sources that compile the headers.
SOURCES_OF_HEADERS = (
    "host/simd/fused_kernels.cpp", "host/simd/row_kernels.cpp", "host/simd/reproducible_kernels.cpp",
    "host/pipeline/row_gradients.cpp", "host/pipeline/logit_gather.cpp", "host/pipeline/partial_exchange.cpp",
    "host/pipeline/reproducible_rows.cpp", "host/pipeline/row_outputs.cpp",
)
UNIT_TESTS = (
    "kernels_test", "policy_statistics_test", "job_errors_test", "public_bug_reports_test", "row_kernels_test",
    "reproducible_test", "same_bits_test",
)
# Highway's own baseline on x86-64 has one lane, and with it no tails.
ONE_INSTRUCTION_SET = "-DHWY_COMPILE_ONLY_STATIC" + (" -msse4.2 -mpclmul -maes" if platform.machine() == "x86_64" else "")
TESTS_OF_ONE_INSTRUCTION_SET = "*:-*/SSSE3:*/SSE4:*/AVX3*:*/SCALAR:*/EMU128"  # the same code in all of them now
LIMIT_S = 120

# Name, pattern, replacement. The sources are formatted: an operator stands between blanks, a template's bracket does not.
OPERATORS = (
    ("compare", r" < ", " <= "),
    ("compare", r" <= ", " < "),
    ("compare", r" > ", " >= "),
    ("compare", r" >= ", " > "),
    ("compare", r" == ", " != "),
    ("sign", r" \+ ", " - "),
    ("sign", r" - ", " + "),
    ("sign", r" \+= ", " -= "),
    ("sign", r"\bhn::Add\(", "hn::Sub("),
    ("sign", r"\bhn::Sub\(", "hn::Add("),
    ("sign", r"\bhn::MulAdd\(", "hn::NegMulAdd("),
    ("sign", r"\bhn::NegMulAdd\(", "hn::MulAdd("),
    ("extremum", r"\bhn::Max\(", "hn::Min("),
    ("extremum", r"\bHWY_MIN\(", "HWY_MAX("),
    ("extremum", r"\bstd::max\b", "std::min"),
    ("drop a term", r" [+-] [\w.:{}>-]+(\([\w. ,]*\))?(?=[;,)])", ""),
    ("off by one", r"(?<= < )([\w.]+(\(\))?)(?=; )", r"\1 - 1"),
    ("skip a loop", r"\bfor \(", "if (false) for ("),
    ("drop a statement", r"^ +[\w.>\[\]-]+ [+*-]?= [^;{]+;$", ""),
    ("drop a condition", r"\bif \((?!constexpr|false)", "if (false && "),
)


@dataclass(frozen=True)
class Mutant:
    file: str  # below kernels/
    line: int  # from 1
    operator: str
    before: str
    after: str

    def __str__(self):
        return f"kernels/{self.file}:{self.line}: {self.operator}: {self.before.strip()}  ->  {self.after.strip() or '(nothing)'}"

    def key(self):
        return {"file": self.file, "before": self.before.strip(), "after": self.after.strip()}


def code_of(line):
    """The line without its comment; empty if no change of it could be seen: it is no code, or a hint to the processor."""
    unseen = line.lstrip().startswith(("#", "//", "template", "static_assert")) or "Prefetch" in line or "cache_line" in line
    return "" if unseen else line.split("//")[0].rstrip()


def mutants_of(file):
    text = (ROOT / "kernels" / file).read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), start=1):
        code = code_of(line)
        for operator, pattern, replacement in OPERATORS:
            for match in re.finditer(pattern, code):
                after = code[: match.start()] + match.expand(replacement) + code[match.end() :]
                yield Mutant(file, number, operator, code, after)


def all_mutants():
    folder = ROOT / "kernels"
    files = sorted({str(path.relative_to(folder)) for pattern in SOURCES for path in folder.glob(pattern)})
    return [mutant for file in files if not file.endswith("_test.cpp") for mutant in mutants_of(file)]


def included_in(kernels, source, seen=None):
    """The kernels' own files that a file includes, directly or indirectly."""
    seen = set() if seen is None else seen
    for name in re.findall(r'^#include "([^"]+)"', (kernels / source).read_text(encoding="utf-8"), re.M):
        if name not in seen and (kernels / name).exists():
            seen.add(name)
            included_in(kernels, name, seen)
    return seen


class Laboratory:
    """A copy of the kernels, and a finished build whose programs are linked again with the copy."""

    def __init__(self, build, folder):
        self.build, self.folder = build, folder
        self.kernels = folder / "kernels"
        shutil.copytree(ROOT / "kernels", self.kernels)
        self.objects = folder / "objects"
        self.originals = {}
        (folder / "bin").mkdir()
        shutil.copy2(build / "bin" / "vparity", folder / "bin")
        entries = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
        self.compilations = {entry["file"]: entry["command"] for entry in entries}
        self.links = {name: self.link_command(name) for name in (*UNIT_TESTS, "vparity-worker")}

    def link_command(self, target):
        commands = subprocess.run(["ninja", "-C", self.build, "-t", "commands", target], capture_output=True, text=True, check=True)
        command = commands.stdout.splitlines()[-1].removeprefix(": && ").removesuffix(" && :")
        # An object is linked before the archive, whose member of the same source is then not needed.
        command = command.replace("kernels/libvparity_kernels.a", f"{self.objects}/*.o kernels/libvparity_kernels.a", 1)
        return re.sub(r" -o \S+", f" -o {self.folder / 'bin' / target}", command)

    def run(self, command, **options):
        return subprocess.run(command, cwd=self.build, shell=isinstance(command, str), capture_output=True, text=True, **options)

    def compile(self, *sources):
        """Compiles sources of the copy, in place of those compiled before; False if they do not compile."""
        shutil.rmtree(self.objects, ignore_errors=True)
        self.objects.mkdir()
        return None not in [self.object_of(source) for source in sources]

    def object_of(self, source):
        """None if it does not compile."""
        command = self.compilations[str(ROOT / "kernels" / source)].replace(str(ROOT / "kernels"), str(self.kernels))
        output = self.object_file(source)
        command = re.sub(r" -o \S+", f" {ONE_INSTRUCTION_SET} -Wno-error -o {output}", command)
        return output if self.run(command).returncode == 0 else None

    def object_file(self, source):
        return self.objects / (source.replace("/", "-") + ".o")  # host and device have files of the same name

    def sources_of(self, file):
        """The SOURCES_OF_HEADERS that include the header, directly or indirectly; a source file itself."""
        if not file.endswith(".h"):
            return (file,)
        return tuple(source for source in SOURCES_OF_HEADERS if file in included_in(self.kernels, source))

    def unchanged(self, source):
        """The bytes of the object of the unchanged source."""
        if source not in self.originals:
            self.objects.mkdir(exist_ok=True)
            self.originals[source] = self.object_of(source).read_bytes()
        return self.originals[source]

    def make(self, mutant):
        """False if it does not compile, or compiles to the same bytes: the change is not in this instruction set's code."""
        sources = self.sources_of(mutant.file)
        before = [self.unchanged(source) for source in sources]
        return self.compile_changed(mutant, sources) and before != [self.object_file(source).read_bytes() for source in sources]

    def compile_changed(self, mutant, sources):
        path = self.kernels / mutant.file
        original = path.read_text(encoding="utf-8")
        lines = original.splitlines()
        lines[mutant.line - 1] = mutant.after
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        try:
            return self.compile(*sources)
        finally:
            path.write_text(original, encoding="utf-8")

    def passes(self, program, *arguments):
        """False also for an endless loop."""
        try:
            return self.run([self.folder / "bin" / program, *arguments], timeout=LIMIT_S).returncode == 0
        except subprocess.TimeoutExpired:
            return False

    def gate_passes(self, matrix):
        out = self.folder / "out"
        shutil.rmtree(out, ignore_errors=True)
        return self.passes(
            "vparity", "run", ROOT / "matrices" / matrix, "--out", out, "--launcher", "threads", "--max-failures", "1", "--timeout", "20"
        )

    def killer_of_linked(self):
        """The first test or matrix that fails with the compiled objects; None if all pass."""
        for test in UNIT_TESTS:
            self.link(test)
            if not self.passes(test, f"--gtest_filter={TESTS_OF_ONE_INSTRUCTION_SET}"):
                return test
        self.link("vparity-worker")
        return next((matrix for matrix in ("smoke.json", "ci.json") if not self.gate_passes(matrix)), None)

    def link(self, target):
        linked = self.run(self.links[target])
        if linked.returncode != 0:
            raise RuntimeError(f"cannot link {target}: {linked.stderr}")


def reasons_of_equivalents():
    entries = json.loads((ROOT / "tools" / "equivalent_mutants.json").read_text(encoding="utf-8"))
    return [({name: entry[name] for name in ("file", "before", "after")}, entry["why"]) for entry in entries]


def try_mutants(laboratory, count, seed):
    equivalents = reasons_of_equivalents()
    candidates = all_mutants()
    random.Random(seed).shuffle(candidates)
    verdicts = []
    while candidates and len(verdicts) < count:
        mutant = candidates.pop()
        why = next((why for key, why in equivalents if key == mutant.key()), None)
        if why:
            verdicts.append("equivalent")
            print(f"equivalent ({why}): {mutant}", flush=True)
        elif laboratory.make(mutant):
            killer = laboratory.killer_of_linked()
            verdicts.append("killed" if killer else "survived")
            print(f"killed by {killer}: {mutant}" if killer else f"SURVIVED: {mutant}", flush=True)
    return verdicts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="a finished build (default: build/)")
    parser.add_argument("--count", type=int, default=60, help="number of mutants to try (default: 60)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the choice of mutants (default: 1)")
    parser.add_argument("--share", type=float, default=0.95, help="share of the mutants that are not equivalent that must be killed (default: 0.95)")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    if not (build / "compile_commands.json").exists():
        parser.error(f"--build: {build} is not a finished build; run `make test` first")
    with tempfile.TemporaryDirectory(prefix="vparity-mutants-") as folder:
        laboratory = Laboratory(build, pathlib.Path(folder))
        # If the unchanged kernels failed, every mutant would be "killed".
        if not laboratory.compile(*SOURCES_OF_HEADERS) or laboratory.killer_of_linked():
            sys.exit("the unchanged kernels do not pass the tests, so mutants cannot be judged")
        verdicts = try_mutants(laboratory, arguments.count, arguments.seed)
    killed, different = verdicts.count("killed"), len(verdicts) - verdicts.count("equivalent")
    print(f"{killed} of {different} killed, {verdicts.count('equivalent')} equivalent")
    sys.exit(0 if different and killed >= arguments.share * different else 1)


if __name__ == "__main__":
    main()
