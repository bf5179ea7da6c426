#!/usr/bin/env python3
"""Whether nvcc makes of the kernels what they were written for: 16 bytes at a time where rows are streamed, nothing in
local memory, few enough registers. Usage: code_test.py NVCC ARCHITECTURE,... [SOURCE.cu [OPTION OF NVCC...]]"""

import concurrent.futures
import pathlib
import re
import sys
import tempfile
import unittest

from device_code import kernels_of

NVCC = sys.argv[1]
ARCHITECTURES = [int(architecture) for architecture in sys.argv[2].split(",")]
SOURCE, OPTIONS = sys.argv[3] if len(sys.argv) > 3 else None, sys.argv[4:]

MOST_REGISTERS = 128

# What must be in a kernel whose name matches: 16-byte loads, 16-byte stores, and how much of it may be in local memory.
# A kernel that no pattern matches is an error: say here what it is to have.
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


def faults(kernel, needs):
    """What is wrong with a kernel, in words."""
    loads, stores, local_bytes = needs
    if max(kernel.stack_bytes, kernel.spilled_bytes) > local_bytes:
        yield f"{kernel.stack_bytes} bytes of local memory, {kernel.spilled_bytes} spilled"
    if kernel.registers > MOST_REGISTERS:
        yield f"{kernel.registers} registers, of at most {MOST_REGISTERS}"
    if loads and not kernel.loads_16:
        yield "no 16-byte load"
    if stores and not kernel.stores_16:
        yield "no 16-byte store"


@unittest.skipUnless(SOURCE, "no source is given")
class Kernels(unittest.TestCase):
    """Those of the library, for each architecture."""

    def test_are_what_they_were_written_for(self):
        with concurrent.futures.ThreadPoolExecutor() as pool:
            compiled = pool.map(lambda architecture: kernels_of(NVCC, SOURCE, architecture, OPTIONS), ARCHITECTURES)
        for architecture, kernels in zip(ARCHITECTURES, compiled):
            used = set()
            for kernel in kernels:
                print(f"sm_{architecture}: {kernel.registers:3} registers, {kernel.loads_16:3} loads and "
                      f"{kernel.stores_16:3} stores of 16 bytes: {kernel.name}")
                with self.subTest(kernel.name, architecture=architecture):
                    rule = rule_for(kernel.name)
                    self.assertIsNotNone(rule, "no rule of RULES matches")
                    used.add(rule)
                    self.assertEqual(list(faults(kernel, RULES[rule])), [])
            self.assertEqual(used, set(RULES), "rules that match no kernel")


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
    """The check itself, on kernels that are known to be right or wrong."""

    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "planted.cu")
            source.write_text(PLANTED, encoding="utf-8")
            found = kernels_of(NVCC, source, ARCHITECTURES[0], ["-std=c++20"])
        cls.kernels = {re.search(r"(\w+)[<(]", kernel.name)[1]: kernel for kernel in found}

    def of(self, name, needs):
        return " ".join(faults(self.kernels[name], needs))

    def test_passes_a_right_kernel(self):
        self.assertEqual(self.of("wide", LOADS_AND_STORES), "")
        self.assertEqual(self.of("wide_load", LOADS), "")
        self.assertEqual(self.of("narrow", NEITHER), "")

    def test_finds_narrow_loads_and_stores(self):
        self.assertEqual(self.of("narrow", LOADS), "no 16-byte load")
        self.assertEqual(self.of("wide_load", LOADS_AND_STORES), "no 16-byte store")

    def test_finds_an_array_in_local_memory(self):
        self.assertIn("256 bytes of local memory", self.of("local", NEITHER))

    def test_finds_spills_and_too_many_registers(self):
        self.assertRegex(self.of("spilling", NEITHER), r"[1-9]\d* spilled .*registers, of at most 128")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
