#!/usr/bin/env python3
"""Checks what nvcc makes of the kernels: kernels that stream rows load and store 16 bytes at a time, none of them uses
local memory, and registers are few enough. It looks at PTX and, with cuobjdump beside nvcc, at machine code.
Usage: code_test.py NVCC ARCHITECTURE,... [SOURCE.cu [OPTION OF NVCC...]]"""

import concurrent.futures
import pathlib
import re
import sys
import tempfile
import unittest

from device_code import cuobjdump_of, kernels_of

NVCC = sys.argv[1]
ARCHITECTURES = [int(architecture) for architecture in sys.argv[2].split(",")]
SOURCE, OPTIONS = sys.argv[3] if len(sys.argv) > 3 else None, sys.argv[4:]

needs_disassembler = unittest.skipUnless(cuobjdump_of(NVCC), f"there is no cuobjdump beside {NVCC}")

MOST_REGISTERS = 128

# What a kernel whose name matches must have: 16-byte loads, 16-byte stores; and the most bytes of local memory it may use.
# A kernel that no pattern matches is an error: add a rule for it here.
# Kernels whose thread works on one row, not on its columns, may save a few registers: Toolkit 13 does so on sm_100
# around divisions of doubles, at most 40 bytes.
LOADS, LOADS_AND_STORES, NEITHER = (True, False, 0), (True, True, 0), (False, False, 40)
RULES = {
    r"\b(sum_blocks|find_maxima|sum_on_grid|read_rows)_kernel\b": LOADS,
    r"\b(write_gradient|copy_rows)_kernel\b": LOADS_AND_STORES,
    # A thread of these has a row, or an element of its results.
    r"\b(check_ids|write_records|write_outputs|add_results|find_coefficients)_kernel\b": NEITHER,
    r"\b(write_maxima|read_maxima|add_grid_blocks|write_grid_outputs)_kernel\b": NEITHER,
}


def rule_for(name):
    return next((rule for rule in RULES if re.search(rule, name)), None)


def violations(kernel, needs):
    """What is wrong with a kernel's resources and PTX, in words."""
    loads, stores, local_bytes = needs
    if max(kernel.stack_bytes, kernel.spilled_bytes) > local_bytes:
        yield f"{kernel.stack_bytes} bytes of local memory, {kernel.spilled_bytes} spilled"
    if kernel.registers > MOST_REGISTERS:
        yield f"{kernel.registers} registers, of at most {MOST_REGISTERS}"
    if loads and not kernel.loads_16:
        yield "no 16-byte load"
    if stores and not kernel.stores_16:
        yield "no 16-byte store"


def machine_code_violations(kernel, needs):
    """What is wrong with a kernel's machine code, in words."""
    loads, stores, local_bytes = needs
    code = kernel.machine_code
    if code.local_accesses and not local_bytes:
        yield f"{code.local_accesses} loads and stores of local memory (LDL, STL)"
    if loads and not code.loads_16:
        yield "no 16-byte load (LDG.E.128)"
    if stores and not code.stores_16:
        yield "no 16-byte store (STG.E.128)"


@unittest.skipUnless(SOURCE, "no source is given")
class Kernels(unittest.TestCase):
    """Those of the library, for each architecture."""

    @classmethod
    def setUpClass(cls):
        with concurrent.futures.ThreadPoolExecutor() as pool:
            compiled = pool.map(lambda architecture: kernels_of(NVCC, SOURCE, architecture, OPTIONS), ARCHITECTURES)
            cls.compiled = dict(zip(ARCHITECTURES, compiled))

    def all_kernels(self):
        return [kernel for kernels in self.compiled.values() for kernel in kernels]

    def test_each_has_a_rule_and_each_rule_a_kernel(self):
        for architecture, kernels in self.compiled.items():
            matched = {kernel.name: rule_for(kernel.name) for kernel in kernels}
            self.assertEqual([name for name, rule in matched.items() if rule is None], [], "no rule of RULES matches")
            self.assertEqual(set(matched.values()), set(RULES), f"rules that match no kernel of sm_{architecture}")

    def test_load_and_store_16_bytes_without_local_memory_in_few_registers(self):
        for kernel in self.all_kernels():
            print(f"sm_{kernel.architecture}: {kernel.registers:3} registers, {kernel.loads_16:3} loads and "
                  f"{kernel.stores_16:3} stores of 16 bytes: {kernel.name}")
            with self.subTest(kernel.name, architecture=kernel.architecture):
                self.assertEqual(list(violations(kernel, RULES[rule_for(kernel.name)])), [])

    @needs_disassembler
    def test_load_and_store_16_bytes_without_local_memory_in_machine_code(self):
        for kernel in self.all_kernels():
            print(f"sm_{kernel.architecture}: {kernel.machine_code}: {kernel.name}")
            with self.subTest(kernel.name, architecture=kernel.architecture):
                self.assertEqual(list(machine_code_violations(kernel, RULES[rule_for(kernel.name)])), [])


PLANTED = """
#include <cstring>
__global__ void wide(const uint4* from, uint4* to) { to[threadIdx.x] = from[threadIdx.x]; }
__global__ void narrow(const float* from, float* to) { to[threadIdx.x] = from[threadIdx.x]; }
__global__ void wide_load(const float* from, float* to) {
  uint4 raw = reinterpret_cast<const uint4*>(from)[threadIdx.x];
  float x[4];
  memcpy(x, &raw, sizeof x);
  to[threadIdx.x] = x[0] + x[1] + x[2] + x[3];
}
__global__ void local(const int* from, int* to) {
  int kept[64];
  for (int i = 0; i < 64; ++i) kept[i] = from[i];
  for (int i = 0; i < 64; ++i) to[i] = kept[from[i] & 63];
}
template <class T>
__global__ void spilling(const T* from, T* to) {
  T kept[200];
#pragma unroll
  for (int i = 0; i < 200; ++i) kept[i] = from[i * 32 + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 200; ++i) to[i * 32 + threadIdx.x] = kept[i] * kept[(i + 7) % 200];
}
template __global__ void spilling<double>(const double*, double*);
"""


class Check(unittest.TestCase):
    """The checks themselves, for each architecture, on kernels that are known to be right or wrong."""

    @classmethod
    def setUpClass(cls):
        cls.kernels = {}
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "planted.cu")
            source.write_text(PLANTED, encoding="utf-8")
            for architecture in ARCHITECTURES:
                for kernel in kernels_of(NVCC, source, architecture, ["-std=c++20"]):
                    name = re.search(r"(\w+)[<(]", kernel.name)[1]
                    cls.kernels.setdefault(name, []).append(kernel)

    def expect(self, name, needs, pattern, check=violations):
        self.assertEqual([kernel.architecture for kernel in self.kernels[name]], ARCHITECTURES)
        for kernel in self.kernels[name]:
            self.assertRegex(" ".join(check(kernel, needs)), f"^{pattern}$", f"sm_{kernel.architecture}")

    def expect_in_machine_code(self, name, needs, pattern):
        self.expect(name, needs, pattern, machine_code_violations)

    def test_passes_a_right_kernel(self):
        self.expect("wide", LOADS_AND_STORES, "")
        self.expect("wide_load", LOADS, "")
        self.expect("narrow", NEITHER, "")

    def test_finds_narrow_loads_and_stores(self):
        self.expect("narrow", LOADS, "no 16-byte load")
        self.expect("wide_load", LOADS_AND_STORES, "no 16-byte store")

    def test_finds_an_array_in_local_memory(self):
        self.expect("local", NEITHER, "256 bytes of local memory, .*")

    def test_finds_spills_and_too_many_registers(self):
        self.expect("spilling", NEITHER, r".* [1-9]\d* spilled .*registers, of at most 128")

    @needs_disassembler
    def test_passes_a_right_kernel_in_machine_code(self):
        self.expect_in_machine_code("wide", LOADS_AND_STORES, "")
        self.expect_in_machine_code("wide_load", LOADS, "")

    @needs_disassembler
    def test_finds_narrow_loads_and_stores_in_machine_code(self):
        self.expect_in_machine_code("narrow", LOADS_AND_STORES, r"no 16-byte load \(LDG.E.128\) no 16-byte store \(STG.E.128\)")
        self.expect_in_machine_code("wide_load", LOADS_AND_STORES, r"no 16-byte store \(STG.E.128\)")

    @needs_disassembler
    def test_finds_local_memory_and_spills_in_machine_code(self):
        for name in ("local", "spilling"):
            self.expect_in_machine_code(name, (False, False, 0), r"[1-9]\d* loads and stores of local memory \(LDL, STL\)")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
