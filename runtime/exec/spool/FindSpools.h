//===- FindSpools.h - which sources have a log -------------------*- C++ -*-===//
#pragma once
#include "sluice/abi.h"
#include <functional>
#include <string>

namespace sluice {

/// When native operators have their parameters, and are not open: makes Program::spools. A source
/// has a log if --spool names it, or if it leads to a ReplayableStart and cannot bring again what
/// it has brought. `pathOf`: what the names of the files of a log begin with. What is wrong with
/// --spool; empty: nothing.
std::string findSpools(Program &, const std::function<std::string(const OperatorDesc &)> &pathOf);
/// When there are threads for the sources: these write their logs.
void connectSpools(Program &);

} // namespace sluice
