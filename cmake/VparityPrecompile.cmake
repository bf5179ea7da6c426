# Precompiled headers. Parsing the JSON and the test library is half of what a small source file costs to compile, and a
# first `make gate` is mostly compilation. Sources still include what they use. Two sets, because executables are compiled
# with other flags than libraries.
set(VPARITY_PRECOMPILED_SOURCE ${CMAKE_CURRENT_LIST_DIR}/precompiled.cpp)

# For the libraries that read or write JSON: reports/ and harness/.
add_library(vparity_precompiled STATIC EXCLUDE_FROM_ALL ${VPARITY_PRECOMPILED_SOURCE})
target_precompile_headers(vparity_precompiled PRIVATE <nlohmann/json.hpp> <algorithm> <filesystem>)

# For all test programs. What they test is optimised; they themselves need not be, and compile in half the time.
set(VPARITY_TEST_OPTIONS $<$<CONFIG:Release>:-O1>)
add_executable(vparity_precompiled_tests EXCLUDE_FROM_ALL ${VPARITY_PRECOMPILED_SOURCE})
target_link_libraries(vparity_precompiled_tests PRIVATE GTest::gmock)
target_compile_options(vparity_precompiled_tests PRIVATE ${VPARITY_TEST_OPTIONS})
target_precompile_headers(vparity_precompiled_tests
  PRIVATE <gmock/gmock.h> <gtest/gtest.h> <nlohmann/json.hpp> <algorithm> <filesystem>)

# vparity_precompile(TARGET SET): TARGET is compiled with the precompiled headers of SET.
function(vparity_precompile TARGET SET)
  target_precompile_headers(${TARGET} REUSE_FROM ${SET})
  if(SET STREQUAL vparity_precompiled_tests)
    target_compile_options(${TARGET} PRIVATE ${VPARITY_TEST_OPTIONS})
  endif()
  # GCC 12 forgets that a precompiled standard library is a system header, and lets its false alarms through (its bug
  # 105651 and the like); AddressSanitizer looks for the real ones.
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(${TARGET} PRIVATE
      "$<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict;-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread>")
  endif()
endfunction()
