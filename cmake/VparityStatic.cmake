# VPARITY_STATIC: programs that can be carried to another machine. Linked statically is what there is an archive of;
# what there is none of (Debian has none of Highway) goes into lib/ beside the programs, where they look for it. Shared
# stay the C library, NCCL, and MPI, which loads its own parts when it runs: programs for a machine that lacks NCCL or
# MPI are built with VPARITY_NCCL=OFF, VPARITY_MPI=OFF. The CUDA runtime is always linked statically.
option(VPARITY_STATIC "Programs that need only the C library, NCCL and MPI where they run" OFF)

if(VPARITY_STATIC)
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a .so)
  set(OPENSSL_USE_STATIC_LIBS TRUE)
  set(ZLIB_USE_STATIC_LIBS ON)
  set(Boost_USE_STATIC_LIBS ON)
  # fmt is compiled into its users; the linker then leaves out its shared library, which the target still names.
  add_compile_definitions($<$<COMPILE_LANGUAGE:CXX>:FMT_HEADER_ONLY=1>)
  # With the older kind of run path, what stands in lib/ finds its own needs there too.
  add_link_options(-static-libstdc++ -static-libgcc -Wl,--as-needed -Wl,--disable-new-dtags)
  list(APPEND CMAKE_BUILD_RPATH $ORIGIN/lib)
endif()

# vparity_carry_libraries(files...): those that are shared go into lib/ beside the programs, under the name that is asked
# for, and with them the compiler's own libraries if they need these.
function(vparity_carry_libraries)
  foreach(LIBRARY IN LISTS ARGN)
    if(NOT LIBRARY MATCHES "[.]so[.0-9]*$")
      continue()
    endif()
    execute_process(COMMAND readelf -d ${LIBRARY} OUTPUT_VARIABLE DYNAMIC COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCH "SONAME[^[]*\\[([^]]+)\\]" _ ${DYNAMIC})
    set(NAME ${CMAKE_MATCH_1})
    file(REAL_PATH ${LIBRARY} LIBRARY)
    file(MAKE_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/lib)
    file(COPY_FILE ${LIBRARY} ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/lib/${NAME} ONLY_IF_DIFFERENT)
    string(REGEX MATCHALL "lib(stdc[+][+]|gcc_s)[.]so[.0-9]+" NEEDED ${DYNAMIC})
    list(REMOVE_ITEM NEEDED ${NAME})
    foreach(COMPILERS IN LISTS NEEDED)
      execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=${COMPILERS} OUTPUT_VARIABLE FILE
        OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
      vparity_carry_libraries(${FILE})
    endforeach()
  endforeach()
endfunction()

# vparity_program(TARGET): the test needed_libraries_TARGET, that it needs no libcuda, and with VPARITY_STATIC nothing
# but what stands above.
function(vparity_program TARGET)
  add_test(NAME needed_libraries_${TARGET}
    COMMAND ${VPARITY_PYTHON} -B ${PROJECT_SOURCE_DIR}/cmake/needed_libraries_test.py $<TARGET_FILE:${TARGET}>
            $<$<BOOL:${VPARITY_STATIC}>:--carried>)
endfunction()
