# Builds the viewer of reports (reports/viewer) if Node.js and the viewer's packages are installed (`make setup`). The
# build downloads nothing. Without the viewer vparity writes no report.html; everything else works.
set(VPARITY_VIEWER_DIR ${PROJECT_SOURCE_DIR}/reports/viewer)
find_program(VPARITY_NODE NAMES node nodejs)
if(VPARITY_NODE)
  execute_process(COMMAND ${VPARITY_NODE} --version OUTPUT_VARIABLE VPARITY_NODE_VERSION OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()

if(NOT VPARITY_NODE)
  set(VPARITY_NO_VIEWER "there is no Node.js")
elseif(NOT VPARITY_NODE_VERSION MATCHES "^v(1[89]|[2-9][0-9])[.]")
  set(VPARITY_NO_VIEWER "Node.js ${VPARITY_NODE_VERSION} is older than 18")
elseif(NOT EXISTS ${VPARITY_VIEWER_DIR}/node_modules/esbuild/package.json)
  set(VPARITY_NO_VIEWER "its packages are not installed: `make setup`, or `npm ci` in reports/viewer")
else()
  set(VPARITY_NO_VIEWER "")
endif()

# vparity_viewer(OUT): sets OUT to the page without data, or to an empty file without the viewer.
function(vparity_viewer OUT)
  set(PAGE ${CMAKE_CURRENT_BINARY_DIR}/viewer.html)
  set(${OUT} ${PAGE} PARENT_SCOPE)
  if(VPARITY_NO_VIEWER)
    message(STATUS "vparity: without report.html: ${VPARITY_NO_VIEWER}")
    add_custom_command(OUTPUT ${PAGE} COMMAND ${CMAKE_COMMAND} -E echo_append "" > ${PAGE})
    return()
  endif()
  file(GLOB SOURCES CONFIGURE_DEPENDS ${VPARITY_VIEWER_DIR}/src/*)
  add_custom_command(OUTPUT ${PAGE}
    COMMAND ${VPARITY_NODE} ${VPARITY_VIEWER_DIR}/build.mjs ${PAGE}
    DEPENDS ${SOURCES} ${VPARITY_VIEWER_DIR}/build.mjs ${VPARITY_VIEWER_DIR}/package-lock.json
    COMMENT "Bundling the viewer" VERBATIM)
endfunction()

find_program(VPARITY_CHROMIUM NAMES chromium chromium-browser google-chrome)

# vparity_viewer_test(NAME arguments...): a test that runs Node.js with these arguments, with label `viewer`. It is
# skipped with a message if the viewer or Chromium is missing.
function(vparity_viewer_test NAME)
  set(MISSING "${VPARITY_NO_VIEWER}")
  if(NOT MISSING AND NOT VPARITY_CHROMIUM)
    set(MISSING "there is no Chromium")
  endif()
  add_test(NAME viewer_${NAME}
    COMMAND ${CMAKE_COMMAND} "-DMISSING=${MISSING}" -DNODE=${VPARITY_NODE} "-DARGUMENTS=${ARGN}"
            -P ${PROJECT_SOURCE_DIR}/cmake/viewer_test.cmake)
  set_tests_properties(viewer_${NAME} PROPERTIES LABELS viewer TIMEOUT 600 SKIP_REGULAR_EXPRESSION "viewer test skipped"
    ENVIRONMENT "CHROMIUM=${VPARITY_CHROMIUM};VPARITY=$<TARGET_FILE:vparity>;VPARITY_CRASHING=$<TARGET_FILE:vparity-crashing>;VPARITY_SOURCE=${PROJECT_SOURCE_DIR}")
endfunction()
