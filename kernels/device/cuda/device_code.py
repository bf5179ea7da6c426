"""What nvcc makes of the kernels in a .cu file: their resources, and the width of their loads and stores in PTX and in
machine code (SASS)."""

import collections
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
FUNCTION = re.compile(r"^\s*Function : (\w+)$(.*?)(?=^\s*Function : |\Z)", re.M | re.S)
# One instruction per line: "/*0040*/  @!P0 LDG.E.128 R4, desc[UR4][R2.64] ;"
INSTRUCTION = re.compile(r"^\s*/\*[0-9a-f]+\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)", re.M)


@dataclasses.dataclass(frozen=True)
class MachineCode:
    loads_16: int  # instructions that load 16 bytes of global memory at once
    stores_16: int
    local_accesses: int  # loads and stores of local memory


@dataclasses.dataclass(frozen=True)
class Kernel:
    name: str  # as in the source, with its template arguments
    architecture: int
    registers: int
    stack_bytes: int  # local memory, that of spilled registers too
    spilled_bytes: int
    loads_16: int  # instructions of PTX that load 16 bytes at once
    stores_16: int
    machine_code: MachineCode | None  # None without cuobjdump


class CompileError(Exception):
    pass


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode:
        raise CompileError(" ".join(map(str, command)) + "\n" + done.stdout + done.stderr)
    return done.stdout + done.stderr


def cuobjdump_of(nvcc):
    """The Toolkit's disassembler, beside nvcc; None if it is not there."""
    beside = pathlib.Path(nvcc).with_name("cuobjdump")
    return beside if beside.exists() else None


def demangled(names):
    text = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True, check=True).stdout
    return dict(zip(names, text.splitlines()))


def machine_code_of(listing):
    """The MachineCode of each function in the output of cuobjdump -sass."""
    return {name: counted(INSTRUCTION.findall(body)) for name, body in FUNCTION.findall(listing)}


def counted(instructions):
    counts = collections.Counter()
    for instruction in instructions:
        operation, *modifiers = instruction.split(".")
        counts[operation, "128" in modifiers] += 1
    local = sum(count for (operation, _), count in counts.items() if operation in ("LDL", "STL"))
    return MachineCode(loads_16=counts["LDG", True], stores_16=counts["STG", True], local_accesses=local)


def kernels_of(nvcc, source, architecture, options=()):
    """The kernels of `source`, compiled as the build does with these options."""
    with tempfile.TemporaryDirectory() as folder:
        ptx, cubin = pathlib.Path(folder, "code.ptx"), pathlib.Path(folder, "code.cubin")
        run(nvcc, *options, "-ptx", f"-arch=compute_{architecture}", source, "-o", ptx)
        report = run(nvcc, "-cubin", f"-arch=sm_{architecture}", "--resource-usage", ptx, "-o", cubin)
        bodies = dict(ENTRY.findall(ptx.read_text(encoding="utf-8")))
        cuobjdump = cuobjdump_of(nvcc)
        machine_code = machine_code_of(run(cuobjdump, "-sass", cubin)) if cuobjdump else {}
    names = demangled(list(bodies))
    found = {match["name"]: match for match in RESOURCES.finditer(report)}
    return [
        kernel_of(names[name], architecture, body, found[name], machine_code.get(name)) for name, body in bodies.items()
    ]


def kernel_of(name, architecture, body, resources, machine_code):
    return Kernel(
        name=name,
        architecture=architecture,
        registers=int(resources["registers"]),
        stack_bytes=int(resources["stack"]),
        spilled_bytes=int(resources["stores"]) + int(resources["loads"]),
        loads_16=len(LOAD_16.findall(body)),
        stores_16=len(STORE_16.findall(body)),
        machine_code=machine_code,
    )
