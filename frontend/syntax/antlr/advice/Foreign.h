//===- Foreign.h - tables of what other languages write -----------*- C++ -*-===//
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

namespace sluice::grammar {

struct Foreign {
  llvm::StringRef text;
  const char *instead; // what SPL writes
};

/// In any case of letters: SQL has its words in capitals.
inline const Foreign *entryOf(llvm::ArrayRef<Foreign> table, llvm::StringRef text) {
  auto found = llvm::find_if(
      table, [&](const Foreign &entry) { return entry.text.equals_insensitive(text); });
  return found == table.end() ? nullptr : &*found;
}

} // namespace sluice::grammar

#define NO_LAMBDAS                                                                                 \
  "there are no lambdas, write a function with a name, or `for (int32 x in list) { ... }`"
