//===- ValueElsewhere.h - values that are not on the command line -*- C++ -*-===//
//
// `NAME=@file:PATH` is what a file has, without the line end at its end; `NAME=@env:VARIABLE` is a
// variable of the environment. Passwords are given so: other users see a command line.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <string>
#include <string_view>

namespace sluice {

/// False: `what` is the value itself. True: `value` is what stands there, or `problem` says why it
/// cannot be had.
bool valueElsewhere(std::string_view what, std::string &value, std::string &problem);

} // namespace sluice
