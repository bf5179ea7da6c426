# `cmake --install`: find_package(vparity) with the target vparity::kernels, and vparity::kernels_mpi, kernels_cuda,
# kernels_nccl if they were built. A component of its own, so that it can be installed without building the rest.
include(CMakePackageConfigHelpers)
set(VPARITY_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/vparity)

# vparity_install(EXPORT targets...): what stands in EXPORTTargets.cmake, and is there only if that is included.
function(vparity_install EXPORT)
  install(TARGETS ${ARGN} EXPORT ${EXPORT}
    ARCHIVE COMPONENT kernels
    FILE_SET HEADERS COMPONENT kernels)
  install(EXPORT ${EXPORT} NAMESPACE vparity:: FILE ${EXPORT}Targets.cmake DESTINATION ${VPARITY_PACKAGE_DIR}
    COMPONENT kernels)
endfunction()

# The entry point, after all vparity_install().
function(vparity_install_config)
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/vparityConfig.cmake.in
    ${PROJECT_BINARY_DIR}/vparityConfig.cmake INSTALL_DESTINATION ${VPARITY_PACKAGE_DIR})
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/vparityConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/vparityConfig.cmake ${PROJECT_BINARY_DIR}/vparityConfigVersion.cmake
    DESTINATION ${VPARITY_PACKAGE_DIR} COMPONENT kernels)
  if(VPARITY_HAVE_CUDA)
    install(FILES ${PROJECT_SOURCE_DIR}/cmake/FindCudaRuntime.cmake ${PROJECT_SOURCE_DIR}/cmake/FindNCCL.cmake DESTINATION ${VPARITY_PACKAGE_DIR} COMPONENT kernels)
  endif()
endfunction()
