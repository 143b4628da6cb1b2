//===- NativeModel.h - functions that a toolkit has in C++ -------*- C++ -*-===//
//
// A function model is a file native.function/NAME.xml in the directory of a namespace: prototypes
// of SPL, and where their C++ is (language.md 5.3). Its prototypes are read as a toolkit file whose
// text stands where it stands in the XML, so that messages point there.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pugi {
class xml_node;
}

namespace sluice {

/// Where the C++ of one <functionSet>, or of an operator, is, and what it needs.
struct NativeSet {
  std::string toolkit; // its directory
  std::string header;  // as it is included; may be empty
  std::string ns;      // of C++: `com::example`; empty: none
  std::vector<std::string> includeDirs, libraryDirs, libraries;
};

/// What a native function is in C++.
struct NativeFunction {
  std::shared_ptr<const NativeSet> set;
  std::string name; // with its namespace
};

namespace sema {

struct NativeModel {
  struct Entry {
    uint32_t begin, end; // of the prototype in the text
    NativeFunction function;
  };
  struct Problem {
    std::string what;
    uint32_t offset; // in the XML
  };
  std::string text; // as long as the XML: blanks but for the prototypes
  std::vector<Entry> entries;
  std::optional<Problem> problem;
};

/// Where the C++ of a toolkit is, whatever a model in `directory` says of it.
NativeSet nativeSet(llvm::StringRef toolkit, llvm::StringRef directory);
/// Adds the <library> elements of a model in `directory`.
void addLibraries(pugi::xml_node dependencies, llvm::StringRef directory, NativeSet &);

/// Reads the model `xml`, whose path is `path`, of the namespace `ns` of a toolkit.
NativeModel readNativeModel(llvm::StringRef xml, llvm::StringRef path, llvm::StringRef ns,
                            llvm::StringRef toolkit);

} // namespace sema
} // namespace sluice
