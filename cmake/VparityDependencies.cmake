# Everything the build looks for outside the repository; all of it stands in packages.txt. Nothing is downloaded.
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(OpenSSL REQUIRED)      # SHA-256 of case keys, base64
find_package(ZLIB REQUIRED)         # the data of report.html
find_package(Boost REQUIRED COMPONENTS context)  # headers of Boost.Math: distributions; fibers of CUDA kernels on the CPU
find_package(GTest REQUIRED)
find_package(benchmark REQUIRED)
pkg_check_modules(HWY REQUIRED IMPORTED_TARGET libhwy)
if(VPARITY_SANITIZE)
  # A sanitizer makes vector code several times as much to compile. What remains on x86: the baseline (scalar, or SSE2 in newer
  # Highways), AVX2, AVX-512; the release build runs its tests on all. Said here because all users of Highway have to agree.
  target_compile_definitions(PkgConfig::HWY INTERFACE "HWY_DISABLED_TARGETS=(HWY_SSSE3|HWY_SSE4)")
endif()
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
if(VPARITY_STATIC)
  vparity_carry_libraries(${HWY_LINK_LIBRARIES} ${XXHASH_LINK_LIBRARIES})
endif()

find_path(RANDOM123_INCLUDE_DIR Random123/philox.h REQUIRED)
add_library(random123 INTERFACE)
target_include_directories(random123 SYSTEM INTERFACE ${RANDOM123_INCLUDE_DIR})

if(VPARITY_MPI)
  find_package(MPI COMPONENTS CXX)
endif()

include(VparityCuda)

message(STATUS "vparity: MPI ${MPI_CXX_FOUND} ${MPI_CXX_LIBRARY_VERSION_STRING}, CUDA ${CMAKE_CUDA_COMPILER_VERSION} "
  "[${CMAKE_CUDA_ARCHITECTURES}], NCCL ${NCCL_VERSION}")

# Python for tests that are scripts: Debian's own first, because python3-jsonschema is installed there.
find_program(VPARITY_PYTHON NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(VPARITY_PYTHON NAMES python3 REQUIRED)
