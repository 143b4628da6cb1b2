//===- Toolkits.h - directories of toolkits ----------------------*- C++ -*-===//
//
// A toolkit is a directory with files of SPL below it. Its info.xml, if it has one, says its name,
// its version, and which toolkits it needs (language.md 8.6). Nothing has to be indexed.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace sluice::sema {

/// "2.10" is greater than "2.9.1". What is no number counts as 0.
bool isOlder(llvm::StringRef version, llvm::StringRef than);

/// Which versions fit: "[1.0,2.0)" with ends that belong to it or not, or "1.0": this one or newer.
struct VersionRange {
  std::string text;
  bool contains(llvm::StringRef version) const;
};

struct Toolkit {
  struct Need {
    std::string name;
    VersionRange versions;
  };
  std::string dir, name, version; // name: by default that of the directory
  std::vector<Need> needs;
  std::string problem; // why info.xml cannot be read; empty: it can, or there is none
  std::string infoFile() const;
};

/// What a directory has, sorted: a build must not depend on the order on disk.
std::vector<std::string> entriesOf(llvm::StringRef dir);

/// The toolkit in a directory.
Toolkit readToolkit(llvm::StringRef dir);

/// The toolkits of `paths`: each path is a toolkit, or a directory of toolkits that have an
/// info.xml or an index (toolkit.xml). Of several versions the newest is taken, and of several
/// equal ones the first.
std::vector<Toolkit> findToolkits(llvm::ArrayRef<std::string> paths);

} // namespace sluice::sema
