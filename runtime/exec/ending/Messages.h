//===- Messages.h - what a running program prints ---------------*- C++ -*-===//
#pragma once
#include "runtime/base/os.h"
#include <string_view>

namespace sluice {

struct Program;

// A failure of standard output ends the program.
void flushOutput(Program &);
void tell(Program &, std::string_view message);

} // namespace sluice
