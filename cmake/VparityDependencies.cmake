# Everything the build looks for outside the repository; all of it stands in packages.txt. Nothing is downloaded.
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(OpenSSL REQUIRED)      # SHA-256 of case keys
find_package(Boost REQUIRED COMPONENTS context)  # headers of Boost.Math: distributions; fibers of CUDA kernels on the CPU
find_package(GTest REQUIRED)
find_package(benchmark REQUIRED)
pkg_check_modules(HWY REQUIRED IMPORTED_TARGET libhwy)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)

find_path(RANDOM123_INCLUDE_DIR Random123/philox.h REQUIRED)
add_library(random123 INTERFACE)
target_include_directories(random123 SYSTEM INTERFACE ${RANDOM123_INCLUDE_DIR})

if(VPARITY_MPI)
  find_package(MPI COMPONENTS CXX)
endif()

if(NOT VPARITY_CUDA STREQUAL OFF)
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    find_package(CUDAToolkit)
  elseif(VPARITY_CUDA STREQUAL ON)
    message(FATAL_ERROR "VPARITY_CUDA=ON, but CMake finds no CUDA compiler (set CMAKE_CUDA_COMPILER or CUDACXX)")
  endif()
endif()
if(CMAKE_CUDA_COMPILER)
  set(VPARITY_HAVE_CUDA TRUE)
endif()
message(STATUS "vparity: MPI ${MPI_CXX_FOUND} ${MPI_CXX_LIBRARY_VERSION_STRING}, CUDA compiler ${CMAKE_CUDA_COMPILER}")

# Python for tests that are scripts: Debian's own first, because python3-jsonschema is installed there.
find_program(VPARITY_PYTHON NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(VPARITY_PYTHON NAMES python3 REQUIRED)
