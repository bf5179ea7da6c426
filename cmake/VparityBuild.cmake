# Language level, warnings, sanitizers, and the two functions that every room declares its targets with.
include(GNUInstallDirs)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)

find_program(CCACHE ccache)
if(CCACHE)
  # Without the sloppiness, ccache takes no source that uses a precompiled header; the base directory lets clones share.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros
    CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} ${CCACHE})
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()

# -ffp-contract=off: a multiply and an add that the source keeps apart stay apart, so that results do not depend on
# which instruction set the compiler was allowed to fuse for (the kernels write their fused multiply-adds out).
add_compile_options(
  "$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Wshadow;-Werror;-ffp-contract=off>"
  "$<$<COMPILE_LANGUAGE:CUDA>:--Werror=all-warnings;--fmad=false;-Xcompiler=-Wall,-Wextra,-Werror,-ffp-contract=off>")

if(VPARITY_SANITIZE)
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${VPARITY_SANITIZE};-fno-sanitize-recover=all>"
    $<$<COMPILE_LANGUAGE:CXX>:-fno-omit-frame-pointer>)
  # GCC 12 takes the checks that a sanitizer inserts into std::regex for uses of uninitialised memory.
  add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>)
  add_link_options(-fsanitize=${VPARITY_SANITIZE})
endif()

# Compiling many small sources as a few large ones saves most of the time, which goes into the same headers again and again.
# It costs time where one source is changed at a time: off in the preset `dev`.
option(VPARITY_UNITY "Compile the sources of a library together" ON)
set(VPARITY_UNITY_SOURCES 12)

# vparity_compile_together(TARGET): the sources of a target of reports/ or harness/, except those that Highway includes in
# themselves again. Elsewhere sources are few and large.
function(vparity_compile_together TARGET)
  if(NOT VPARITY_UNITY OR NOT CMAKE_CURRENT_SOURCE_DIR MATCHES "^${PROJECT_SOURCE_DIR}/(reports|harness)")
    return()
  endif()
  set_target_properties(${TARGET} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${VPARITY_UNITY_SOURCES})
  get_target_property(SOURCES ${TARGET} SOURCES)
  foreach(SOURCE IN LISTS SOURCES)
    get_filename_component(SOURCE ${SOURCE} ABSOLUTE)
    if(EXISTS ${SOURCE})
      file(STRINGS ${SOURCE} HIGHWAY REGEX "HWY_TARGET_INCLUDE")
      if(HIGHWAY)
        set_source_files_properties(${SOURCE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
      endif()
    endif()
  endforeach()
endfunction()

# vparity_library(NAME SOURCES files... DEPENDS targets...)
# A static library of one room or one of its folders; headers are included by their path from the repository's root.
function(vparity_library NAME)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(${NAME} STATIC ${ARG_SOURCES})
  target_include_directories(${NAME} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(${NAME} PUBLIC ${ARG_DEPENDS})
  if(CMAKE_CURRENT_SOURCE_DIR MATCHES "^${PROJECT_SOURCE_DIR}/(reports|harness)")
    vparity_precompile(${NAME} vparity_precompiled)
  endif()
  vparity_compile_together(${NAME})
endfunction()

# vparity_time_limit(OUT SECONDS): of a test; two minutes if SECONDS is empty, and five times as much under a sanitizer.
function(vparity_time_limit OUT SECONDS)
  if(NOT SECONDS)
    set(SECONDS 120)
  endif()
  if(VPARITY_SANITIZE)
    math(EXPR SECONDS "5 * ${SECONDS}")
  endif()
  set(${OUT} ${SECONDS} PARENT_SCOPE)
endfunction()

# vparity_test(NAME SOURCES files... DEPENDS targets... [LABELS labels...] [TIMEOUT seconds])
# One GoogleTest program, registered as one CTest test.
function(vparity_test NAME)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;DEPENDS;LABELS" ${ARGN})
  add_executable(${NAME} ${ARG_SOURCES})
  target_include_directories(${NAME} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${NAME} PRIVATE ${ARG_DEPENDS} GTest::gmock_main)
  vparity_precompile(${NAME} vparity_precompiled_tests)
  set_target_properties(${NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  add_test(NAME ${NAME} COMMAND ${NAME})
  vparity_time_limit(ARG_TIMEOUT "${ARG_TIMEOUT}")
  set_tests_properties(${NAME} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT})
endfunction()

# vparity_python_test(NAME SCRIPT arguments... [LABELS labels...] [TIMEOUT seconds])
# A Python script as one CTest test; it may import the modules of harness/test_support.
function(vparity_python_test NAME SCRIPT)
  cmake_parse_arguments(ARG "" "TIMEOUT" "LABELS" ${ARGN})
  add_test(NAME ${NAME}
    COMMAND ${VPARITY_PYTHON} -B ${CMAKE_CURRENT_SOURCE_DIR}/${SCRIPT} ${ARG_UNPARSED_ARGUMENTS})
  vparity_time_limit(ARG_TIMEOUT "${ARG_TIMEOUT}")
  set_tests_properties(${NAME} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT}
    ENVIRONMENT PYTHONPATH=${PROJECT_SOURCE_DIR}/harness/test_support)
endfunction()

# For a test that starts MPI by itself: the label `mpi`, no search for leaks (MPI keeps memory until the process ends), and
# none of it under ThreadSanitizer, which cannot see into MPI's own threads.
function(vparity_starts_mpi NAME)
  set_property(TEST ${NAME} APPEND PROPERTY LABELS mpi)
  set_property(TEST ${NAME} APPEND PROPERTY ENVIRONMENT ASAN_OPTIONS=detect_leaks=0)
  if(VPARITY_SANITIZE MATCHES thread)
    set_property(TEST ${NAME} PROPERTY DISABLED TRUE)
  endif()
endfunction()

# vparity_mpi_test(NAME RANKS n SOURCES files... DEPENDS targets... [LABELS labels...] [TIMEOUT seconds])
# One GoogleTest program that brings its own main (it initialises MPI), started by mpirun on `n` ranks; CTest label
# `mpi`. To be called if MPI was found.
function(vparity_mpi_test NAME)
  cmake_parse_arguments(ARG "" "RANKS;TIMEOUT" "SOURCES;DEPENDS;LABELS" ${ARGN})
  add_executable(${NAME} ${ARG_SOURCES})
  target_include_directories(${NAME} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${NAME} PRIVATE ${ARG_DEPENDS} GTest::gmock)
  vparity_precompile(${NAME} vparity_precompiled_tests)
  set_target_properties(${NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  vparity_mpirun_options(OPTIONS)
  add_test(NAME ${NAME}
    COMMAND ${MPIEXEC_EXECUTABLE} ${OPTIONS} ${MPIEXEC_NUMPROC_FLAG} ${ARG_RANKS} $<TARGET_FILE:${NAME}>)
  vparity_time_limit(ARG_TIMEOUT "${ARG_TIMEOUT}")
  set_tests_properties(${NAME} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT}
    PROCESSORS ${ARG_RANKS})
  vparity_starts_mpi(${NAME})
endfunction()

# What mpirun needs in a container and with more ranks than cores; other MPIs than Open MPI need nothing.
function(vparity_mpirun_options OUT)
  execute_process(COMMAND ${MPIEXEC_EXECUTABLE} --version OUTPUT_VARIABLE VERSION ERROR_QUIET)
  set(OPTIONS "")
  if(VERSION MATCHES "Open MPI|OpenRTE")
    set(OPTIONS --allow-run-as-root --oversubscribe --bind-to none
      --mca btl ^openib --mca btl_vader_single_copy_mechanism none)
  endif()
  set(${OUT} ${OPTIONS} PARENT_SCOPE)
endfunction()
