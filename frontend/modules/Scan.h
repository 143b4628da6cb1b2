//===- Scan.h - what a file defines, without parsing it ---------*- C++ -*-===//
#pragma once
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include <string>

namespace sluice::sema {

/// What a scan of the text tells without parsing.
struct FileSummary {
  std::string ns;
  llvm::StringSet<> functions, operators, types; // operators: composites too
  llvm::StringSet<> enumMembers;                 // of types at file level
  llvm::StringMap<std::string> outputFunctions;  // the operator of this file that has them

  bool defines(llvm::StringRef name) const {
    return functions.contains(name) || operators.contains(name) || types.contains(name);
  }
  /// Whether the name, were it unknown, could come from this file.
  bool mentions(llvm::StringRef name) const { return defines(name) || enumMembers.contains(name); }
};
FileSummary scanFile(llvm::StringRef text);
/// All words of a text, those of comments and strings too: what a text with an error may define.
llvm::StringSet<> wordsOf(llvm::StringRef text);

} // namespace sluice::sema
