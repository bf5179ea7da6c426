#!/bin/sh
# Installs the CUDA Toolkit and NCCL from PyPI (tools/cuda-wheels.txt) into build/cuda, unless this machine has nvcc.
# CMake finds them there. Usage: install-cuda.sh
set -eu
cd "$(dirname "$0")/.."
wheels=tools/cuda-wheels.txt
folder=build/cuda
done=$folder/installed-wheels.txt

for nvcc in "${CUDACXX:-}" "${CUDAToolkit_ROOT:-}/bin/nvcc" "${CUDA_PATH:-}/bin/nvcc" "${CUDA_HOME:-}/bin/nvcc" \
  "$(command -v nvcc || true)" /usr/local/cuda/bin/nvcc /opt/cuda/bin/nvcc; do
  if [ -x "$nvcc" ]; then
    echo "cuda: this machine has $nvcc"
    exit 0
  fi
done
if cmp -s "$wheels" "$done"; then
  exit 0
fi

# The wheels are installed beside the old ones and take their place in one step: an interrupted run leaves the old ones.
echo "cuda: installing the wheels of $wheels into $folder"
rm -rf "$folder.new"
python3 -m pip install --quiet --disable-pip-version-check --no-warn-script-location --root-user-action=ignore \
  --no-deps --only-binary=:all: --target "$folder.new" --requirement "$wheels"
# The wheels lack the name that linkers, and CMake's FindCUDAToolkit, look for.
(cd "$folder.new/nvidia/cu13/lib" && ln -s libcudart.so.13 libcudart.so)
cp "$wheels" "$folder.new/installed-wheels.txt"
rm -rf "$folder"
mv "$folder.new" "$folder"
