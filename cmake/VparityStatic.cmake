# VPARITY_STATIC: programs that can be carried to another machine. Linked statically is what there is an archive of;
# what there is none of (Debian has none of Highway) goes into lib/ beside the programs, where they look for it. Shared
# stay the C library, NCCL, and MPI, which loads its own parts when it runs: programs for a machine that lacks NCCL or
# MPI are built with VPARITY_NCCL=OFF, VPARITY_MPI=OFF. The CUDA runtime is always linked statically.
option(VPARITY_STATIC "Programs that need only the C library, NCCL and MPI where they run" OFF)

if(VPARITY_STATIC)
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a .so)
  set(OPENSSL_USE_STATIC_LIBS TRUE)
  set(Boost_USE_STATIC_LIBS ON)
  # fmt is compiled into its users; the linker then leaves out its shared library, which the target still names.
  add_compile_definitions($<$<COMPILE_LANGUAGE:CXX>:FMT_HEADER_ONLY=1>)
  add_link_options(-static-libstdc++ -static-libgcc -Wl,--as-needed)
  list(APPEND CMAKE_BUILD_RPATH $ORIGIN/lib)
endif()

# vparity_carry_libraries(files...): into lib/ beside the programs, under the name that they ask for.
function(vparity_carry_libraries)
  foreach(LIBRARY IN LISTS ARGN)
    if(LIBRARY MATCHES "[.]so$")
      execute_process(COMMAND readelf -d ${LIBRARY} OUTPUT_VARIABLE DYNAMIC COMMAND_ERROR_IS_FATAL ANY)
      string(REGEX MATCH "SONAME[^[]*\\[([^]]+)\\]" _ ${DYNAMIC})
      file(REAL_PATH ${LIBRARY} LIBRARY)
      file(MAKE_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/lib)
      file(COPY_FILE ${LIBRARY} ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/lib/${CMAKE_MATCH_1} ONLY_IF_DIFFERENT)
    endif()
  endforeach()
endfunction()

# vparity_program(TARGET): the test needed_libraries_TARGET, that it needs no libcuda, and with VPARITY_STATIC nothing
# but what stands above.
function(vparity_program TARGET)
  add_test(NAME needed_libraries_${TARGET}
    COMMAND ${VPARITY_PYTHON} -B ${PROJECT_SOURCE_DIR}/cmake/needed_libraries_test.py $<TARGET_FILE:${TARGET}>
            $<$<BOOL:${VPARITY_STATIC}>:--carried>)
endfunction()
