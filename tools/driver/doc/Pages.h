//===- Pages.h - the pages of the documentation, searched -------*- C++ -*-===//
#pragma once
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include <string>
#include <vector>

namespace sluice::driver {

/// The words that somebody looks for, in the form in which words are compared: small letters,
/// without the ending of a plural or a verb. Words such as "how" and "to" are left out, unless
/// there are no others.
class SearchWords {
public:
  explicit SearchWords(llvm::StringRef query);
  /// How many of the words `text` has.
  unsigned countIn(llvm::StringRef text) const;
  bool allIn(llvm::StringRef text) const { return countIn(text) == words.size(); }
  unsigned size() const { return words.size(); }

private:
  llvm::StringSet<> words;
};

/// A part of a page under one heading.
struct PageHit {
  std::string path; // as it is found below the folder of the pages
  unsigned line;    // of the heading, from 1
  std::string heading;
  std::string sentence; // the one that has most of the words
};

/// The folder that has README.md, docs and examples: that of the installation, else the source
/// tree. Empty: there is none.
std::string pagesDir();
/// The parts of the pages in `folder` that have most of the words, the best first, `most` at most.
std::vector<PageHit> searchPages(llvm::StringRef folder, const SearchWords &, unsigned most);

} // namespace sluice::driver
