//===- RunHelp.h - what a program says about itself -------------*- C++ -*-===//
#pragma once
#include "sluice/abi.h"
#include <cstdio>

namespace sluice {

/// --help.
void printHelp(const ProgramDesc &, const char *program);
/// --list-values: name, type and default of each. Their text is converted by the program.
void listValues(const ProgramDesc &);
/// Flushes what these have printed. The exit code: 1, with a message, if it could not be written.
int finishHelp(const ProgramDesc &);
/// The submission-time values, behind a message.
void printValues(const ProgramDesc &, FILE *to);

} // namespace sluice
