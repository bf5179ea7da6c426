# Runs a test of the viewer, or says why it is skipped (cmake/VparityViewer.cmake).
if(MISSING)
  message(STATUS "viewer test skipped: ${MISSING}")
  return()
endif()
execute_process(COMMAND ${NODE} ${ARGUMENTS} RESULT_VARIABLE RESULT)
if(NOT RESULT EQUAL 0)
  message(FATAL_ERROR "node ended with ${RESULT}")
endif()
