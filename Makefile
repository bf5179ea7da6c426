# Thin: each target sets the machine up, then calls CMake, CTest or the program.
PRESET ?= release
BUILD := $(if $(filter release,$(PRESET)),build,build-$(PRESET))
JOBS ?= $(shell nproc)

.PHONY: all setup cuda configure build gate test bench microbench picture format lint clean
all: build

setup:
	@tools/setup.sh

# The CUDA Toolkit and NCCL from PyPI, on a machine without nvcc: then the CUDA side is compiled, linked and tested too.
cuda: setup
	@tools/install-cuda.sh

configure: setup
	@cmake --preset $(PRESET)

# The programs alone; the tests are several times as much to compile.
build: configure
	@cmake --build $(BUILD) -j $(JOBS) --target vparity vparity-worker

# The parity gate: every case of matrices/ci.json against the reference.
gate: build
	@$(BUILD)/bin/vparity run matrices/ci.json

# The whole suite; `make test PRESET=asan` or `PRESET=tsan` runs it under a sanitizer.
test: configure
	@cmake --build $(BUILD) -j $(JOBS)
	@ctest --test-dir $(BUILD) --output-on-failure --no-tests=error -j $(JOBS) $(CTEST_ARGS)

# How fast the kernels are beside the memory, their other modes and what frameworks do: all of
# matrices/throughput.json takes about an hour; BENCH_ARGS="--filter '*,tokens=128,*'" some minutes.
bench: build
	@$(BUILD)/bin/vparity run matrices/throughput.json --timeout 300 $(BENCH_ARGS)

# Single passes of the CPU kernels.
microbench: configure
	@cmake --build $(BUILD) -j $(JOBS) --target vparity-bench
	@$(BUILD)/bin/vparity-bench

# The README's picture of report.html: the smoke matrix with a provider that has one bug.
picture: build
	@rm -rf $(BUILD)/picture
	@$(BUILD)/bin/vparity run matrices/smoke.json --provider known-bug-shifted-z-loss --launcher threads --out $(BUILD)/picture -q || true
	@cd reports/viewer && node screenshot.mjs $(CURDIR)/$(BUILD)/picture/report.html $(CURDIR)/docs/report.png

format: setup
	@git ls-files '*.h' '*.cpp' '*.cu' '*.cuh' | xargs clang-format -i
	@cd reports/viewer && npm run --silent format

# clang-tidy on every source (.clang-tidy; its findings are errors), and whether all is formatted.
LINT ?= /(kernels|reference|reports|harness|fuzz|examples)/
lint: setup
	@git ls-files '*.h' '*.cpp' '*.cu' '*.cuh' | xargs clang-format --dry-run -Werror
	@cd reports/viewer && npm run --silent format:check
	@cmake --preset lint
	@cmake --build build-lint -j $(JOBS) --target lint_prerequisites
	@run-clang-tidy-16 -quiet -p build-lint -j $(JOBS) '$(LINT)' > build-lint/lint.log 2>&1 \
	  || { grep -E -A 4 '(warning|error):' build-lint/lint.log; exit 1; }

clean:
	@rm -rf build build-asan build-dev build-lint build-tsan
