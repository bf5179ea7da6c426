# Run at every build (cmake -P), so that the revision is that of what is compiled: writes OUTPUT, and only if it changed.
set(REVISION "")
set(DIRTY false)
if(EXISTS ${SOURCE_DIR}/.git)
  execute_process(COMMAND git rev-parse HEAD
    WORKING_DIRECTORY ${SOURCE_DIR} OUTPUT_VARIABLE REVISION OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  execute_process(COMMAND git --no-optional-locks status --porcelain --untracked-files=no
    WORKING_DIRECTORY ${SOURCE_DIR} OUTPUT_VARIABLE CHANGES ERROR_QUIET)
  if(CHANGES)
    set(DIRTY true)
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
#define VPARITY_GIT_REVISION "@REVISION@"
#define VPARITY_GIT_DIRTY @DIRTY@
]])
