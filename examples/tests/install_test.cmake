# cmake -DBUILD_DIR=... -DSOURCE_DIR=... -DWORK_DIR=... -DCXX_COMPILER=... -DCXX_FLAGS=... -DPARTS=... -P install_test.cmake
# Installs the library into an empty prefix, then configures and builds the examples against it. PARTS are the targets of
# the package that must be there. Then configures once more as a machine without CUDA does: the others must be there.
# An installed header names no type that is not installed.
file(REMOVE_RECURSE ${WORK_DIR}/prefix ${WORK_DIR}/build ${WORK_DIR}/without_cuda)
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
function(configure FOLDER PARTS)
  run(${CMAKE_COMMAND} -S ${SOURCE_DIR} -B ${WORK_DIR}/${FOLDER} -DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix
    -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DCMAKE_CXX_FLAGS=${CXX_FLAGS} ${ARGN})
  execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK_DIR}/${FOLDER} --target help OUTPUT_VARIABLE TARGETS
    COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "," ";" PARTS ${PARTS})
  foreach(part IN LISTS PARTS)
    string(REGEX REPLACE "^kernels_?" "" example ${part})
    if(example AND NOT TARGETS MATCHES " ${example}(\n|:)")
      message(FATAL_ERROR "the installed package has no vparity::${part}, so ${example}.cpp is not built")
    endif()
  endforeach()
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
if(PARTS MATCHES cuda)
  string(REGEX REPLACE ",kernels_(cuda|nccl)" "" PARTS ${PARTS})
  configure(without_cuda ${PARTS} -DCMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit=ON)
endif()
