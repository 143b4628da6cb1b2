//===- Names.h - what a program is called -----------------------*- C++ -*-===//
#pragma once

namespace sluice {

struct Ctx;

/// The name of its main composite, with its namespace. Stays as long as the program.
const char *programName(const Ctx *);

} // namespace sluice
