# How this project builds: flags, the compiler's precompiled header, helpers.

add_compile_options(-Wall -Wextra -Wno-unused-parameter -fno-semantic-interposition)
# A switch names every enumerator, so that the compiler names the switches when there is a new one.
add_compile_options(-Werror=switch -Werror=switch-enum)
if(CMAKE_BUILD_TYPE STREQUAL "Debug" OR CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo")
  add_compile_options(-g1)
endif()
add_link_options(-fuse-ld=lld)
if(SLUICE_SANITIZE)
  # What asks about code that is not ours: LLVM's libraries, programs of the JIT.
  add_compile_options(-fsanitize=${SLUICE_SANITIZE} -fno-sanitize=vptr,function
    -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${SLUICE_SANITIZE})
endif()
# For what libFuzzer is to guide through (test/fuzz): it counts where it has been.
set(SLUICE_GUIDED)
if(SLUICE_SANITIZE MATCHES address)
  set(SLUICE_GUIDED -fsanitize=fuzzer-no-link)
endif()

include_directories(${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})

# sluice_pch(NAME): the precompiled header cmake/pch/NAME.h for parts of the compiler, whose build
# time is mostly that of headers. The target sluice_pch_NAME owns it.
function(sluice_pch name)
  add_library(sluice_pch_${name} OBJECT ${CMAKE_SOURCE_DIR}/cmake/pch/pch.cpp)
  target_include_directories(sluice_pch_${name} SYSTEM PUBLIC ${LLVM_INCLUDE_DIRS}
    ${MLIR_INCLUDE_DIRS} ${CMAKE_BINARY_DIR})
  target_include_directories(sluice_pch_${name} PUBLIC ${CMAKE_SOURCE_DIR}/runtime/include)
  target_precompile_headers(sluice_pch_${name} PRIVATE "\"cmake/pch/${name}.h\"")
  target_compile_options(sluice_pch_${name} PRIVATE -fno-exceptions -fpch-instantiate-templates
    "SHELL:-Xclang -fno-pch-timestamp")
endfunction()
sluice_pch(mlir)
sluice_pch(ir)
sluice_pch(frontend)
add_dependencies(sluice_pch_ir SluiceStreamIncGen SluiceSplIncGen)
add_dependencies(sluice_pch_frontend SluiceStreamIncGen SluiceSplIncGen)

# sluice_compiler_library(NAME PCH LIBS...): all *.cpp of the current folder and those inside it
# (but for antlr/, a library of its own), without exceptions, with a precompiled header.
function(sluice_compiler_library name pch)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/antlr/")
  if(NOT sources)
    return()
  endif()
  add_library(${name} STATIC ${sources})
  target_include_directories(${name} SYSTEM PUBLIC ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
  target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR}/runtime/include)
  # As a folder of the system's: warnings are for code that is not generated.
  target_include_directories(${name} SYSTEM PUBLIC ${CMAKE_BINARY_DIR})
  target_precompile_headers(${name} REUSE_FROM sluice_pch_${pch})
  target_compile_options(${name} PRIVATE -fno-exceptions -fpch-instantiate-templates)
  target_link_libraries(${name} PUBLIC ${ARGN} MLIR LLVM)
endfunction()

# The precompiled header of the C++ library for a library of the runtime.
function(sluice_std_pch name)
  target_precompile_headers(${name} PRIVATE "\"cmake/pch/std.h\"")
  target_compile_options(${name} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
endfunction()

function(sluice_tool name)
  add_executable(${name} ${name}.cpp)
  target_include_directories(${name} SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
  target_precompile_headers(${name} REUSE_FROM sluice_pch_ir)
  # -fPIC, not CMake's -fPIE: the precompiled header was made with it.
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF
                        RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
  target_compile_options(${name} PRIVATE -fno-exceptions -fpch-instantiate-templates -fPIC)
  target_link_libraries(${name} PRIVATE ${ARGN} MLIR LLVM)
  sluice_sanitizer_settings(${name})
endfunction()

# A tool that runs programs in its own process: all of the runtime is there, and visible to them.
function(sluice_runs_programs name)
  set(toolkits ${SLUICE_TOOLKITS})
  list(TRANSFORM toolkits REPLACE "(.+)" "$<TARGET_FILE:sluice-\\1>")
  target_link_libraries(${name} PRIVATE -Wl,--whole-archive $<TARGET_FILE:sluicestd> ${toolkits}
    $<TARGET_FILE:sluicert> -Wl,--no-whole-archive $<TARGET_NAME_IF_EXISTS:sluiceteam> ${SLUICE_BID}
    $<$<BOOL:${SLUICE_LIBURING}>:${SLUICE_LIBURING}> pthread dl m)
  add_dependencies(${name} sluicestd sluicert sluice-bitcode)
  foreach(toolkit IN LISTS SLUICE_TOOLKITS)
    add_dependencies(${name} sluice-${toolkit})
  endforeach()
  set_target_properties(${name} PROPERTIES ENABLE_EXPORTS ON)
endfunction()

# For executables that use LLVM's libraries.
function(sluice_sanitizer_settings name)
  if(SLUICE_SANITIZE)
    target_sources(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tools/Sanitizers.cpp)
  endif()
endfunction()

# Intel's library of decimals (package libintelrdfpmath-dev) for the executables of a target: a copy
# of `library` beside the runtime's archives.
function(sluice_decimal_archive triple library)
  set(archive ${CMAKE_BINARY_DIR}/lib/sluice/${triple}/libbid.a)
  add_custom_command(OUTPUT ${archive} COMMAND ${CMAKE_COMMAND} -E copy ${library} ${archive}
    DEPENDS ${library} COMMENT "${triple}: libbid.a" VERBATIM)
  add_custom_target(sluice-decimals-${triple} ALL DEPENDS ${archive})
endfunction()

# sluice_team_archive(TRIPLE GXX OPTIONS...): lib/sluice/TRIPLE/libsluiceteam.a, the workers of
# executables (runtime/queue/Team.h), compiled by GCC for libgomp.
function(sluice_team_archive triple gxx)
  set(dir ${CMAKE_BINARY_DIR}/lib/sluice/${triple})
  file(MAKE_DIRECTORY ${dir}/objects)
  set(source ${CMAKE_SOURCE_DIR}/runtime/queue/OpenMPTeam.cpp)
  set(object ${dir}/objects/OpenMPTeam.o)
  set(archive ${dir}/libsluiceteam.a)
  add_custom_command(OUTPUT ${archive}
    COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${gxx} ${ARGN} -fopenmp -DSLUICE_OPENMP
            -std=c++20 -O2 -fPIC -ffp-contract=off -I${CMAKE_SOURCE_DIR}
            -I${CMAKE_SOURCE_DIR}/runtime/include -I${CMAKE_SOURCE_DIR}/runtime
            -MD -MT ${archive} -MF ${object}.d -c ${source} -o ${object}
    COMMAND ${CMAKE_COMMAND} -E rm -f ${archive}
    COMMAND ${CMAKE_AR} rcs ${archive} ${object}
    DEPFILE ${object}.d DEPENDS ${source} COMMENT "${triple}: libsluiceteam.a" VERBATIM)
  add_custom_target(sluice-team-${triple} ALL DEPENDS ${archive})
endfunction()

# sluice_cross_archive(TRIPLE NAME FILES...): lib/sluice/TRIPLE/NAME.a of sources of the runtime or
# of a toolkit, cross-built by clang. Part of the target sluice-cross.
function(sluice_cross_archive cross name)
  set(cross_dir ${CMAKE_BINARY_DIR}/lib/sluice/${cross})
  set(objects)
  foreach(file ${ARGN})
    file(RELATIVE_PATH path ${CMAKE_SOURCE_DIR} ${file})
    string(REPLACE "/" "." path ${path})
    set(object ${cross_dir}/objects/${path}.o)
    set(compiler ${CMAKE_CXX_COMPILER} --target=${cross} -mcpu=pwr8)
    add_custom_command(OUTPUT ${object}
      COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${compiler} ${SLUICE_CROSS_TEAM}
        -std=c++20 -O2 -fPIC -ffp-contract=off
              -I${CMAKE_SOURCE_DIR} -I${CMAKE_SOURCE_DIR}/runtime/include
                -I${CMAKE_SOURCE_DIR}/runtime
              -I${CMAKE_BINARY_DIR}/cross-include -MD -MT ${object} -MF ${object}.d -c ${file} -o
                ${object}
      DEPFILE ${object}.d DEPENDS ${file} COMMENT "ppc64le: ${path}" VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  set(archive ${cross_dir}/${name}.a)
  add_custom_command(OUTPUT ${archive} COMMAND ${CMAKE_COMMAND} -E rm -f ${archive}
    COMMAND ${CMAKE_AR} rcs ${archive} ${objects} DEPENDS ${objects} COMMENT
      "ppc64le: ${name}.a" VERBATIM)
  add_custom_target(sluice-cross-${name} DEPENDS ${archive})
  add_dependencies(sluice-cross sluice-cross-${name})
endfunction()
