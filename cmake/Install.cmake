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
install(TARGETS sluice sluice-console RUNTIME DESTINATION bin)
install(DIRECTORY ${CMAKE_BINARY_DIR}/lib/sluice DESTINATION lib
  FILES_MATCHING PATTERN "*.a" PATTERN "hot.bc" PATTERN "objects" EXCLUDE)
install(DIRECTORY ${CMAKE_BINARY_DIR}/share/sluice/spl ${CMAKE_BINARY_DIR}/share/sluice/errors
  DESTINATION share/sluice)
# What speaks with Apache Flink is built by Maven when it is needed, where Flink is fetched to.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/share/sluice)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/cluster/flink ${CMAKE_BINARY_DIR}/share/sluice/flink SYMBOLIC)
install(DIRECTORY cluster/flink DESTINATION share/sluice PATTERN "target" EXCLUDE)
# Headers for native functions and operators, where the driver looks for them.
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/runtime/include ${CMAKE_BINARY_DIR}/include SYMBOLIC)
install(DIRECTORY runtime/include/sluice runtime/include/SPL DESTINATION include)

# Of the pages and examples what git knows: who runs an example finds its output in there, too.
# Where there is no repository, all. A link to what only the source tree has becomes plain text.
install(CODE "set(source \"${CMAKE_SOURCE_DIR}\")" CODE [=[
  execute_process(COMMAND git -c safe.directory=* ls-files -- README.md docs examples
    WORKING_DIRECTORY "${source}" OUTPUT_VARIABLE files ERROR_QUIET)
  string(REPLACE "\n" ";" files "${files}")
  if(NOT files)
    file(GLOB_RECURSE files RELATIVE "${source}" "${source}/README.md" "${source}/docs/*"
      "${source}/examples/*")
  endif()
  foreach(file IN LISTS files)
    get_filename_component(folder "${file}" DIRECTORY)
    if(EXISTS "${source}/${file}" AND NOT IS_DIRECTORY "${source}/${file}")
      file(INSTALL "${source}/${file}" DESTINATION
        "${CMAKE_INSTALL_PREFIX}/share/doc/sluice/${folder}")
      if(file MATCHES "^(README|docs/[a-z-]+)\\.md$")
        set(folders "bench|codegen|frontend|ir|passes|runtime|stdlib|test|tools")
        file(READ "${source}/${file}" text)
        string(REGEX REPLACE "\\[([^]]*)\\]\\((\\.\\./)?((${folders})/|CONTRIBUTING\\.md)[^)]*\\)"
          "\\1" text "${text}")
        file(WRITE "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/share/doc/sluice/${file}" "${text}")
      endif()
    endif()
  endforeach()
]=])
