"""What nvcc makes of the kernels in a .cu file: their resources, and how wide their loads and stores are."""

import dataclasses
import pathlib
import re
import subprocess
import tempfile

ENTRY = re.compile(r"^\s*(?:\.visible\s+|\.weak\s+)?\.entry\s+(\w+)\s*\((.*?)^\}", re.M | re.S)
LOAD_16 = re.compile(r"\bld\.global[\w.:]*\.(?:v4\.[bfsu]32|v2\.[bfsu]64|b128)\b")
STORE_16 = re.compile(r"\bst\.global[\w.:]*\.(?:v4\.[bfsu]32|v2\.[bfsu]64|b128)\b")
RESOURCES = re.compile(
    r"Compiling entry function '(?P<name>\w+)' for '\w+'.*?"
    r"(?P<stack>\d+) bytes stack frame, (?P<stores>\d+) bytes spill stores, (?P<loads>\d+) bytes spill loads.*?"
    r"Used (?P<registers>\d+) registers",
    re.S,
)


@dataclasses.dataclass(frozen=True)
class Kernel:
    name: str  # as in the source, with its template arguments
    architecture: int
    registers: int
    stack_bytes: int  # local memory, that of spilled registers too
    spilled_bytes: int
    loads_16: int  # instructions of PTX that load 16 bytes at once
    stores_16: int


class CompileError(Exception):
    pass


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode:
        raise CompileError(" ".join(map(str, command)) + "\n" + done.stdout + done.stderr)
    return done.stdout + done.stderr


def demangled(names):
    text = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True, check=True).stdout
    return dict(zip(names, text.splitlines()))


def kernels_of(nvcc, source, architecture, options=()):
    """The kernels of `source`, compiled as the build does with these options."""
    with tempfile.TemporaryDirectory() as folder:
        ptx, cubin = pathlib.Path(folder, "code.ptx"), pathlib.Path(folder, "code.cubin")
        run(nvcc, *options, "-ptx", f"-arch=compute_{architecture}", source, "-o", ptx)
        report = run(nvcc, "-cubin", f"-arch=sm_{architecture}", "--resource-usage", ptx, "-o", cubin)
        bodies = dict(ENTRY.findall(ptx.read_text(encoding="utf-8")))
    names = demangled(list(bodies))
    found = {match["name"]: match for match in RESOURCES.finditer(report)}
    return [kernel_of(names[name], architecture, body, found[name]) for name, body in bodies.items()]


def kernel_of(name, architecture, body, resources):
    return Kernel(
        name=name,
        architecture=architecture,
        registers=int(resources["registers"]),
        stack_bytes=int(resources["stack"]),
        spilled_bytes=int(resources["stores"]) + int(resources["loads"]),
        loads_16=len(LOAD_16.findall(body)),
        stores_16=len(STORE_16.findall(body)),
    )
