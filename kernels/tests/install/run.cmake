# cmake -DBUILD_DIR=... -DSOURCE_DIR=... -DWORK_DIR=... -DCXX_COMPILER=... -DCXX_FLAGS=... -DPARTS=... -P run.cmake
# Installs into an empty prefix, then configures, builds and runs the consumers of `PARTS` against it. Then configures once
# more as on a machine without CUDA, where the other parts must be found. An installed header names no type that is not
# installed.
file(REMOVE_RECURSE ${WORK_DIR})
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
function(configure FOLDER PARTS)
  run(${CMAKE_COMMAND} -S ${SOURCE_DIR} -B ${WORK_DIR}/${FOLDER} -DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix
    -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DCMAKE_CXX_FLAGS=${CXX_FLAGS} -DPARTS=${PARTS} ${ARGN})
endfunction()
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/prefix --component kernels)
file(GLOB HEADERS ${WORK_DIR}/prefix/include/vparity/*.h)
foreach(HEADER IN LISTS HEADERS)
  # A header includes the definitions it needs, so a type that it only declares is not installed.
  file(STRINGS ${HEADER} DECLARED REGEX "^(class|struct|enum)[^{]*;")
  if(DECLARED)
    message(FATAL_ERROR "${HEADER} declares, but does not define: ${DECLARED}")
  endif()
endforeach()
if(NOT HEADERS)
  message(FATAL_ERROR "no header is installed in ${WORK_DIR}/prefix/include/vparity")
endif()
configure(build ${PARTS})
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build)
run(${CMAKE_CTEST_COMMAND} --test-dir ${WORK_DIR}/build --output-on-failure --no-tests=error)
if(PARTS MATCHES cuda)
  string(REGEX REPLACE ",kernels_(cuda|nccl)" "" PARTS ${PARTS})
  configure(without_cuda ${PARTS} -DCMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit=ON)
endif()
