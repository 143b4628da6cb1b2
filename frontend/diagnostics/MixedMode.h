//===- MixedMode.h - SPL that Perl writes ------------------------*- C++ -*-===//
//
// A file `*.splmm` is a template (language.md 2.7): text between `<%` and `%>` is Perl, `<%=` the
// value of an expression of Perl, and all other text is written as it is.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace sluice {

/// What a template makes.
struct Expansion {
  std::string text;
  std::vector<uint32_t> lines; // for each line of `text`, the line of the template that it is from
  std::string complaint;       // what Perl says: an error if it failed, else a warning
  uint32_t complaintLine = 1;  // in the template
  bool failed = false;
};

/// Runs the template with Perl. `args` are its @ARGV; what it `require`s may lie beside it.
Expansion expandTemplate(llvm::StringRef path, llvm::StringRef text,
                         llvm::ArrayRef<std::string> args);

} // namespace sluice
