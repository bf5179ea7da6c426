# CUDA and NCCL, found or absent. Sets VPARITY_HAVE_CUDA and VPARITY_HAVE_NCCL. A driver is not looked for: it is the
# programs that find out, when they run, whether there is one.
set(VPARITY_CUDA AUTO CACHE STRING "Build the CUDA kernels: AUTO (if a CUDA compiler is found), ON, OFF")
set(VPARITY_NCCL AUTO CACHE STRING "Build the NCCL communicator: AUTO (if CUDA and NCCL are found), ON, OFF")
set_property(CACHE VPARITY_CUDA VPARITY_NCCL PROPERTY STRINGS AUTO ON OFF)
option(VPARITY_REQUIRE_DEVICE "Tests with the label `gpu` fail where there is no device, instead of being skipped" OFF)

set(VPARITY_WANTED_ARCHITECTURES 80 90 100)  # A100, H100 and H200, B200
set(VPARITY_OLDEST_CUDA 12.0)                # the first nvcc with C++20

# Whether VPARITY_<what> lets us do without, and why we have to.
function(vparity_without WHAT REASON)
  if(VPARITY_${WHAT} STREQUAL ON)
    message(FATAL_ERROR "VPARITY_${WHAT}=ON, but ${REASON}")
  endif()
  message(STATUS "vparity: no ${WHAT}: ${REASON}")
endfunction()

# check_language looks for nvcc on the PATH; a Toolkit is usually in /usr/local/cuda, which need not be on it, or where
# `make cuda` put it.
function(vparity_find_cuda_compiler)
  if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
    find_program(VPARITY_NVCC nvcc
      HINTS ${CUDAToolkit_ROOT} ENV CUDAToolkit_ROOT ENV CUDA_PATH ENV CUDA_HOME
      PATHS /usr/local/cuda /opt/cuda ${PROJECT_SOURCE_DIR}/build/cuda/nvidia/cu13 PATH_SUFFIXES bin)
    mark_as_advanced(VPARITY_NVCC)
    if(VPARITY_NVCC)
      set(ENV{CUDACXX} ${VPARITY_NVCC})
      unset(CMAKE_CUDA_COMPILER CACHE)  # an earlier configuration may have found none
    endif()
  endif()
  include(CheckLanguage)
  check_language(CUDA)
endfunction()

# Sets VPARITY_SHIPPED_ARCHITECTURES: those wanted that this Toolkit knows, whatever this build compiles for. The default of
# CMAKE_CUDA_ARCHITECTURES is code for each, and PTX of the last, which later devices compile for themselves.
function(vparity_choose_architectures)
  execute_process(COMMAND ${CMAKE_CUDA_COMPILER} --list-gpu-arch OUTPUT_VARIABLE KNOWN ERROR_QUIET)
  set(SHIPPED "")
  set(ARCHITECTURES "")
  foreach(ARCHITECTURE IN LISTS VPARITY_WANTED_ARCHITECTURES)
    if(KNOWN MATCHES "compute_${ARCHITECTURE}\n")
      list(APPEND SHIPPED ${ARCHITECTURE})
      list(APPEND ARCHITECTURES ${ARCHITECTURE}-real)
      set(LAST ${ARCHITECTURE})
    endif()
  endforeach()
  set(VPARITY_SHIPPED_ARCHITECTURES "${SHIPPED}" PARENT_SCOPE)
  if(SHIPPED AND NOT CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
    set(CMAKE_CUDA_ARCHITECTURES "${ARCHITECTURES};${LAST}-virtual" CACHE STRING "CUDA architectures")
  endif()
endfunction()

if(NOT VPARITY_CUDA STREQUAL OFF)
  vparity_find_cuda_compiler()
  if(CMAKE_CUDA_COMPILER)
    vparity_choose_architectures()
    enable_language(CUDA)
    find_package(CudaRuntime)
  endif()
  if(NOT CMAKE_CUDA_COMPILER)
    vparity_without(CUDA "CMake finds no CUDA compiler that works (set CMAKE_CUDA_COMPILER or CUDACXX)")
  elseif(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS VPARITY_OLDEST_CUDA)
    vparity_without(CUDA "${CMAKE_CUDA_COMPILER} is ${CMAKE_CUDA_COMPILER_VERSION}; C++20 needs ${VPARITY_OLDEST_CUDA}")
  elseif(NOT CudaRuntime_FOUND)
    vparity_without(CUDA "the Toolkit of ${CMAKE_CUDA_COMPILER} has no static runtime library")
  else()
    set(VPARITY_HAVE_CUDA TRUE)
  endif()
endif()

if(VPARITY_HAVE_CUDA)
  # CMake 3.25 does not know how this compiler is asked for C++20, and silently leaves the request out; newer ones know.
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
  endif()
  set(CMAKE_CUDA_STANDARD 20)
  set(CMAKE_CUDA_STANDARD_REQUIRED ON)
  set(CMAKE_CUDA_EXTENSIONS OFF)
endif()

if(NOT VPARITY_NCCL STREQUAL OFF)
  if(VPARITY_HAVE_CUDA)
    find_package(NCCL 2.14)  # the first with communicators that do not block
  endif()
  if(NOT VPARITY_HAVE_CUDA)
    vparity_without(NCCL "it needs CUDA")
  elseif(NOT NCCL_FOUND)
    vparity_without(NCCL "CMake finds no nccl.h with its library, of version 2.14 or later (set NCCL_ROOT)")
  else()
    set(VPARITY_HAVE_NCCL TRUE)
  endif()
endif()

# vparity_gpu_test(NAME SOURCES files... DEPENDS targets... [LABELS labels...] [TIMEOUT seconds])
# One GoogleTest program that needs a device; CTest label `gpu`. Without one it is skipped and says why, or fails with
# VPARITY_REQUIRE_DEVICE. To be called where there is CUDA.
function(vparity_gpu_test NAME)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;DEPENDS;LABELS" ${ARGN})
  add_executable(${NAME} ${ARG_SOURCES} ${PROJECT_SOURCE_DIR}/kernels/device/cuda/gpu_test_main.cpp)
  target_include_directories(${NAME} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${NAME} PRIVATE ${ARG_DEPENDS} vparity_kernels_cuda GTest::gmock)
  set_target_properties(${NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  add_test(NAME ${NAME} COMMAND ${NAME})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  set_tests_properties(${NAME} PROPERTIES LABELS "gpu;${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT} SKIP_RETURN_CODE 77
    RESOURCE_LOCK gpu)
  vparity_requires_device(${NAME})
endfunction()

# For a CTest test that exits with 77 where there is no device, and with something else if VPARITY_REQUIRE_DEVICE is set.
function(vparity_requires_device NAME)
  if(VPARITY_REQUIRE_DEVICE)
    set_property(TEST ${NAME} APPEND PROPERTY ENVIRONMENT VPARITY_REQUIRE_DEVICE=1)
  endif()
endfunction()
