# FindNCCL: NVIDIA's library ships no CMake files. Looks where NCCL_ROOT says, in and beside the CUDA Toolkit that was found
# (PyPI's wheels are folders side by side), and where the system keeps its own. Defines the target NCCL::nccl, and
#   NCCL_FOUND  NCCL_VERSION (of nccl.h)  NCCL_INCLUDE_DIR  NCCL_LIBRARY
find_path(NCCL_INCLUDE_DIR nccl.h
  HINTS ${CUDAToolkit_INCLUDE_DIRS} ${CUDAToolkit_LIBRARY_ROOT}/include ${CUDAToolkit_BIN_DIR}/../../nccl/include)
# A wheel, and a package without development files, have the name with the version alone.
find_library(NCCL_LIBRARY NAMES nccl libnccl.so.2
  HINTS ${CUDAToolkit_LIBRARY_DIR} ${CUDAToolkit_LIBRARY_ROOT}/lib ${CUDAToolkit_LIBRARY_ROOT}/lib64
        ${CUDAToolkit_BIN_DIR}/../../nccl/lib)
mark_as_advanced(NCCL_INCLUDE_DIR NCCL_LIBRARY)

if(NCCL_INCLUDE_DIR)
  file(STRINGS ${NCCL_INCLUDE_DIR}/nccl.h NCCL_VERSION REGEX "#define NCCL_(MAJOR|MINOR|PATCH) ")
  list(TRANSFORM NCCL_VERSION REPLACE "[^0-9]+" "")
  list(JOIN NCCL_VERSION "." NCCL_VERSION)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(NCCL REQUIRED_VARS NCCL_LIBRARY NCCL_INCLUDE_DIR VERSION_VAR NCCL_VERSION)

if(NCCL_FOUND AND NOT TARGET NCCL::nccl)
  add_library(NCCL::nccl UNKNOWN IMPORTED)
  set_target_properties(NCCL::nccl PROPERTIES
    IMPORTED_LOCATION ${NCCL_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${NCCL_INCLUDE_DIR})
endif()
