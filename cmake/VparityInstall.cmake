# `cmake --install`: find_package(vparity) with the target vparity::kernels, and vparity::kernels_mpi if it was built.
# A component of its own, so that it can be installed without building the rest.
include(CMakePackageConfigHelpers)
set(VPARITY_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/vparity)

function(vparity_install)
  install(TARGETS ${ARGN} EXPORT vparity
    ARCHIVE COMPONENT kernels
    FILE_SET HEADERS COMPONENT kernels)
  install(EXPORT vparity NAMESPACE vparity:: FILE vparityTargets.cmake DESTINATION ${VPARITY_PACKAGE_DIR}
    COMPONENT kernels)
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/vparityConfig.cmake.in
    ${PROJECT_BINARY_DIR}/vparityConfig.cmake INSTALL_DESTINATION ${VPARITY_PACKAGE_DIR})
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/vparityConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/vparityConfig.cmake ${PROJECT_BINARY_DIR}/vparityConfigVersion.cmake
    DESTINATION ${VPARITY_PACKAGE_DIR} COMPONENT kernels)
endfunction()
