//===- Text.h - doc comments as text for a terminal --------------*- C++ -*-===//
#pragma once
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace sluice::driver {

constexpr unsigned kDocWidth = 80;

/// The comment without its marks: a line for each paragraph and for each row of a table, and an
/// empty line between paragraphs.
std::string plainDoc(llvm::StringRef doc);
std::string firstSentence(llvm::StringRef doc);
/// Prints paragraphs and tables in lines of kDocWidth, behind `indent` blanks.
void printDoc(llvm::raw_ostream &, llvm::StringRef text, unsigned indent);

} // namespace sluice::driver
