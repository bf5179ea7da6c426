# cmake -DFILE=... -DFUNCTION=... -DSOURCE=... -P embed_text.cmake: vparity_write_embedded while building.
include(${CMAKE_CURRENT_LIST_DIR}/VparityEmbed.cmake)
vparity_write_embedded(${FILE} ${FUNCTION} ${SOURCE})
