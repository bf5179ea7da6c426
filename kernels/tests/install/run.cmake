# cmake -DBUILD_DIR=... -DSOURCE_DIR=... -DWORK_DIR=... -DCXX_COMPILER=... -DCXX_FLAGS=... -DPARTS=... -P run.cmake
# Installs into an empty prefix, then configures, builds and runs the consumers of `PARTS` against it; and once more
# configures as a machine without CUDA does, where the rest must be there.
file(REMOVE_RECURSE ${WORK_DIR})
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
function(configure FOLDER PARTS)
  run(${CMAKE_COMMAND} -S ${SOURCE_DIR} -B ${WORK_DIR}/${FOLDER} -DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix
    -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DCMAKE_CXX_FLAGS=${CXX_FLAGS} -DPARTS=${PARTS} ${ARGN})
endfunction()
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/prefix --component kernels)
configure(build ${PARTS})
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build)
run(${CMAKE_CTEST_COMMAND} --test-dir ${WORK_DIR}/build --output-on-failure --no-tests=error)
if(PARTS MATCHES cuda)
  string(REGEX REPLACE ",kernels_(cuda|nccl)" "" PARTS ${PARTS})
  configure(without_cuda ${PARTS} -DCMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit=ON)
endif()
