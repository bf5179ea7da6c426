# vparity_embed(TARGET FILE FUNCTION)
# Compiles a text file into TARGET as `std::string_view FUNCTION()`; FUNCTION is qualified, e.g.
# vparity::harness::matrix_schema, and declared by a header of the target. The text is what stood in FILE at build time.
set(VPARITY_EMBED_TEMPLATE ${CMAKE_CURRENT_LIST_DIR}/embedded_text.cpp.in)

function(vparity_embed TARGET FILE FUNCTION)
  get_filename_component(FILE ${FILE} ABSOLUTE)
  string(REGEX MATCH "^(.*)::([^:]+)$" _ ${FUNCTION})
  set(EMBED_NAMESPACE ${CMAKE_MATCH_1})
  set(EMBED_FUNCTION ${CMAKE_MATCH_2})
  file(READ ${FILE} EMBED_TEXT)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${FILE})
  set(SOURCE ${CMAKE_CURRENT_BINARY_DIR}/${EMBED_FUNCTION}.cpp)
  configure_file(${VPARITY_EMBED_TEMPLATE} ${SOURCE} @ONLY)
  target_sources(${TARGET} PRIVATE ${SOURCE})
endfunction()
