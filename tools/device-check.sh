#!/bin/sh
# Checks that need a machine with a GPU. They take less than five minutes and need no network:
#
#   tools/device-check.sh [--build DIR] [--out DIR]
#
# Builds, unless the build folder DIR (default build/) has the programs already: a build may be copied to the machine.
# Then runs the tests that need a device, a parity matrix with ranks that share the device, NCCL, compute-sanitizer on
# small cases, and the throughput matrix. Prints a table at the end and leaves the reports in the folder OUT: by default
# device-check/, which is replaced; any other folder has to be empty.
# Exit code 0: all passed; 1: something failed or did not run; 77: there is no device, with the reason.
set -u
cd "$(dirname "$0")/.." || exit 3
default=device-check
build=build out=$default
while [ $# -gt 0 ]; do
  case $1 in
    --build) build=$2; shift 2 ;;
    --out) out=$2; shift 2 ;;
    *) echo "device-check: unknown argument $1 (--build DIR, --out DIR)" >&2; exit 2 ;;
  esac
done
if [ "$out" != "$default" ] && [ -n "$(ls -A "$out" 2>/dev/null)" ]; then
  echo "device-check: --out: $out is not empty" >&2
  exit 2
fi
rm -rf "$default"
mkdir -p "$out" || exit 3
table="$out/table.txt"
failed=0 missing=0

# not_run NAME WHY: adds a row to the table and prevents "all right".
not_run() {
  printf '%-30s %4s    not run: %s\n' "$1" - "$2" >>"$table"
  missing=$((missing + 1))
}

# step NAME SECONDS COMMAND...: runs COMMAND; its output goes to a log, its verdict and time to the table.
step() {
  name=$1 limit=$2
  shift 2
  echo "device-check: $name"
  begun=$(date +%s)
  timeout "$limit" "$@" >"$out/$name.log" 2>&1
  code=$?
  case $code in
    0) verdict=passed ;;
    77) not_run "$name" "$(tail -n 1 "$out/$name.log")"; return ;;
    124) verdict="FAILED: more than $limit s"; failed=1 ;;
    *) verdict="FAILED: exit code $code, see $out/$name.log"; failed=1 ;;
  esac
  printf '%-30s %4d s  %s\n' "$name" $(($(date +%s) - begun)) "$verdict" >>"$table"
}

tests="cuda_device_gpu_test cuda_elementary_functions_test cuda_language_test cuda_same_bits_test
  cuda_public_bug_reports_test cuda_policy_statistics_test nccl_communicator_gpu_test"

if [ ! -x "$build/bin/vparity" ] || [ ! -x "$build/bin/vparity-worker" ]; then
  step build 900 sh -c "cmake --preset release -DVPARITY_CUDA=ON &&
    cmake --build build -j --target vparity vparity-worker $(echo $tests)"
  build=build
  [ -x "$build/bin/vparity" ] || { cat "$out/build.log" >&2; exit 3; }
fi
vparity="$build/bin/vparity"

# One small case shows whether there is a device; the reason is in the program's output.
"$vparity" run matrices/device.json --only parity --filter '*,mode=fast,*,tp=1,*,vocab=32003,*' --launcher threads \
  --out "$out/presence" >"$out/presence.log" 2>&1
case $? in
  77)
    echo "device-check: nothing can run here:" >&2
    grep '^skipped' "$out/presence.log" >&2 || tail -n 3 "$out/presence.log" >&2
    exit 77 ;;
esac
"$vparity" doctor >"$out/doctor.txt" 2>&1

for test in $tests; do
  if [ -x "$build/tests/$test" ]; then
    step "$test" 60 env VPARITY_REQUIRE_DEVICE=1 "$build/tests/$test"
  else
    not_run "$test" "$build/tests/$test does not exist"
  fi
done

step parity 60 "$vparity" run matrices/device.json --only parity --launcher threads --require-device --out "$out/parity"
step ci-matrix 90 "$vparity" run matrices/ci.json --backend cuda --launcher threads --require-device --out "$out/ci"
if command -v mpirun >/dev/null 2>&1; then
  gpus=$(nvidia-smi -L 2>/dev/null | grep -c GPU)
  step nccl 60 "$vparity" run matrices/nightly.json --only parity --filter '*,transport=nccl,*' \
    --max-ranks "$((gpus > 0 ? gpus : 1))" --out "$out/nccl"
else
  not_run nccl "mpirun was not found"
fi

for tool in memcheck racecheck; do
  if command -v compute-sanitizer >/dev/null 2>&1 && [ -x "$build/tests/cuda_policy_statistics_test" ]; then
    step "$tool" 60 compute-sanitizer --tool "$tool" --error-exitcode 1 "$build/tests/cuda_policy_statistics_test" \
      --gtest_filter='*FewerColumnsThanRanks:*DataParallelRanksWithUnequalAndNoRows:*MaskedTarget*'
  else
    not_run "$tool" "compute-sanitizer or $build/tests/cuda_policy_statistics_test was not found"
  fi
done

step throughput 90 "$vparity" run matrices/device.json --only throughput --launcher threads --require-device --out "$out/throughput"

echo
cat "$table"
echo
sed -n '/| /p' "$out/throughput/summary.md" 2>/dev/null | head -n 40
if [ "$failed" != 0 ]; then
  echo "device-check: NOT all right"
elif [ "$missing" != 0 ]; then
  echo "device-check: all that ran passed, but $missing parts did not run"
  failed=1
else
  echo "device-check: all right"
fi
exit "$failed"
