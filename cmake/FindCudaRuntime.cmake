# FindCudaRuntime: CMake's FindCUDAToolkit, for Toolkit 13 and CMake 3.25 together. That CMake deprecates a target,
# CUDA::nvToolsExt, that this Toolkit does not have, and stops, but only in projects that ask for CMake 3.25 or later.
# Defines what FindCUDAToolkit defines, and CudaRuntime_FOUND: whether CUDA::cudart_static is there.
set(VPARITY_ASKED_FOR ${CMAKE_MINIMUM_REQUIRED_VERSION})
set(CMAKE_MINIMUM_REQUIRED_VERSION 3.24)
find_package(CUDAToolkit QUIET)
set(CMAKE_MINIMUM_REQUIRED_VERSION ${VPARITY_ASKED_FOR})
unset(VPARITY_ASKED_FOR)

if(TARGET CUDA::cudart_static)
  set(CudaRuntime_FOUND TRUE)
else()
  set(CudaRuntime_FOUND FALSE)
endif()
