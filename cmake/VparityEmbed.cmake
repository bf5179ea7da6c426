# Text files compiled into a target as `std::string_view FUNCTION()`; FUNCTION is qualified, e.g.
# vparity::harness::matrix_schema, and declared by the target.
set(VPARITY_EMBED_TEMPLATE ${CMAKE_CURRENT_LIST_DIR}/embedded_text.cpp.in)
set(VPARITY_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/embed_text.cmake)

# The source file SOURCE with the text that stands in FILE now.
function(vparity_write_embedded FILE FUNCTION SOURCE)
  string(REGEX MATCH "^(.*)::([^:]+)$" _ ${FUNCTION})
  set(EMBED_NAMESPACE ${CMAKE_MATCH_1})
  set(EMBED_FUNCTION ${CMAKE_MATCH_2})
  file(READ ${FILE} EMBED_TEXT)
  configure_file(${VPARITY_EMBED_TEMPLATE} ${SOURCE} @ONLY)
endfunction()

function(vparity_embedded_source FUNCTION OUT)
  string(REGEX REPLACE "^.*::" "" NAME ${FUNCTION})
  set(SOURCE ${CMAKE_CURRENT_BINARY_DIR}/${NAME}.cpp)
  # Longer than a compiler need take; those that we name do.
  set_source_files_properties(${SOURCE} PROPERTIES COMPILE_OPTIONS -Wno-overlength-strings)
  set(${OUT} ${SOURCE} PARENT_SCOPE)
endfunction()

# vparity_embed(TARGET FILE FUNCTION)
# The text is what stood in FILE when the build began.
function(vparity_embed TARGET FILE FUNCTION)
  get_filename_component(FILE ${FILE} ABSOLUTE)
  vparity_embedded_source(${FUNCTION} SOURCE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${FILE})
  vparity_write_embedded(${FILE} ${FUNCTION} ${SOURCE})
  target_sources(${TARGET} PRIVATE ${SOURCE})
endfunction()

# vparity_embed_built(TARGET FILE FUNCTION)
# The same of what the build makes: FILE is the output of a custom command of the target's folder.
function(vparity_embed_built TARGET FILE FUNCTION)
  vparity_embedded_source(${FUNCTION} SOURCE)
  add_custom_command(OUTPUT ${SOURCE}
    COMMAND ${CMAKE_COMMAND} -DFILE=${FILE} -DFUNCTION=${FUNCTION} -DSOURCE=${SOURCE} -P ${VPARITY_EMBED_SCRIPT}
    DEPENDS ${FILE} ${VPARITY_EMBED_TEMPLATE} ${VPARITY_EMBED_SCRIPT} VERBATIM)
  target_sources(${TARGET} PRIVATE ${SOURCE})
endfunction()
