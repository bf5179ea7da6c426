#!/usr/bin/env python3
"""What a program needs to start. Usage: needed_libraries_test.py PROGRAM [--carried]

A program that needs libcuda starts only where there is a driver, so none may. With --carried (VPARITY_STATIC) it may
need only the C library, MPI, NCCL, and what stands in lib/ beside it."""
import pathlib
import re
import subprocess
import sys

NEEDS_A_DRIVER = re.compile(r"lib(cuda|nvidia-ml)\.so")
FROM_THE_MACHINE = re.compile(r"(ld-linux.*|lib(c|m|dl|rt|pthread|mpi|mpich|nccl))\.so(\.\d+)*")


def needed(program):
    dynamic = subprocess.run(["readelf", "-d", program], capture_output=True, text=True, check=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic)


def main():
    program = pathlib.Path(sys.argv[1])
    carried = "--carried" in sys.argv[2:]
    libraries = needed(program)
    print(program.name, "needs", *libraries)
    wrong = [name for name in libraries if NEEDS_A_DRIVER.match(name)]
    if carried:
        beside = {path.name: path for path in (program.parent / "lib").glob("*.so*")}
        every = libraries + [name for path in beside.values() for name in needed(path)]
        wrong += [name for name in every if not FROM_THE_MACHINE.fullmatch(name) and name not in beside]
    if wrong or not libraries:
        print("but may not need", *wrong)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
