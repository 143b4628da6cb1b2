# What `cmake --install` copies, for `sluice install` and `sluice package` (tools/package/). All of
# it lies in the build folder as it is installed: bin, lib/sluice/TRIPLE, share.

# The manual page and completion, from the driver's own tables.
set(reference)
function(sluice_reference path option)
  set(file ${CMAKE_BINARY_DIR}/share/${path})
  get_filename_component(folder ${file} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(OUTPUT ${file} COMMAND sluice ${option} > ${file} DEPENDS sluice
    COMMENT "share/${path}" VERBATIM)
  set(reference ${reference} ${file} PARENT_SCOPE)
  get_filename_component(folder ${path} DIRECTORY)
  install(FILES ${file} DESTINATION share/${folder})
endfunction()
sluice_reference(man/man1/sluice.1 --man)
sluice_reference(bash-completion/completions/sluice --completion=bash)
sluice_reference(zsh/site-functions/_sluice --completion=zsh)
add_custom_target(sluice-reference ALL DEPENDS ${reference})

# LLVM's libraries lie in a folder of their own.
set_target_properties(sluice PROPERTIES INSTALL_RPATH_USE_LINK_PATH TRUE)
install(TARGETS sluice RUNTIME DESTINATION bin)
install(DIRECTORY ${CMAKE_BINARY_DIR}/lib/sluice DESTINATION lib
  FILES_MATCHING PATTERN "*.a" PATTERN "hot.bc" PATTERN "objects" EXCLUDE)
install(DIRECTORY ${CMAKE_BINARY_DIR}/share/sluice/spl DESTINATION share/sluice)
install(DIRECTORY runtime/include/sluice DESTINATION include)
install(FILES README.md DESTINATION share/doc/sluice)
install(DIRECTORY docs examples DESTINATION share/doc/sluice)
