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
# Instruction sets that vector code is not compiled for. All users of Highway have to agree, so it is said here. Few
# processors, all from before 2012, have SSSE3 but not SSE4. The extensions of AVX-512 have no instruction that the kernels
# use. A sanitizer makes vector code several times as expensive to compile, so its build leaves out SSE4 too; the release
# build runs its tests on all sets. An older Highway does not know all names.
set(VPARITY_UNUSED_TARGETS SSSE3 AVX3_DL AVX3_ZEN4 AVX3_SPR)
if(VPARITY_SANITIZE)
  list(APPEND VPARITY_UNUSED_TARGETS SSE4)
endif()
find_file(VPARITY_HIGHWAY_TARGETS hwy/detect_targets.h HINTS ${HWY_INCLUDE_DIRS} ${HWY_INCLUDEDIR} REQUIRED)
mark_as_advanced(VPARITY_HIGHWAY_TARGETS)
file(STRINGS ${VPARITY_HIGHWAY_TARGETS} VPARITY_KNOWN_TARGETS REGEX "^#define HWY_[A-Z0-9_]+ ")
set(VPARITY_DISABLED_TARGETS 0)
foreach(TARGET IN LISTS VPARITY_UNUSED_TARGETS)
  if(VPARITY_KNOWN_TARGETS MATCHES "#define HWY_${TARGET} ")
    string(APPEND VPARITY_DISABLED_TARGETS "|HWY_${TARGET}")
  endif()
endforeach()
target_compile_definitions(PkgConfig::HWY INTERFACE "HWY_DISABLED_TARGETS=(${VPARITY_DISABLED_TARGETS})")
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
