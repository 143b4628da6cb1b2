//===- Pages.cpp - the pages of the documentation, searched ---------------===//
//
// A page is cut at its headings. A part counts more if its heading has the words.
//
//===----------------------------------------------------------------------===//
#include "tools/driver/doc/Pages.h"
#include "tools/driver/Compile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace sluice;
using namespace sluice::driver;
using llvm::StringRef;

//===--- words ----------------------------------------------------------------===//

static std::string stem(StringRef word) {
  std::string result = word.lower();
  StringRef rest = result;
  for (StringRef ending : {"ness", "ing", "ed", "ly", "s"})
    if (rest.size() > ending.size() + 2 && !rest.ends_with("ss") && rest.consume_back(ending))
      break;
  rest.consume_back("e");
  return rest.str();
}

template <class F> static void eachWord(StringRef text, F take) {
  while (!text.empty()) {
    text = text.drop_until([](char c) { return llvm::isAlnum(c); });
    StringRef word = text.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    text = text.drop_front(word.size());
    if (!word.empty())
      take(word);
  }
}

SearchWords::SearchWords(StringRef query) {
  static const llvm::StringSet<> common = {"a",  "an", "and", "are", "can", "do",   "does", "for",
                                           "i",  "in", "is",  "it",  "how", "of",   "on",   "or",
                                           "my", "to", "the", "use", "via", "what", "with", "when"};
  eachWord(query, [&](StringRef word) {
    if (!common.contains(word.lower()))
      words.insert(stem(word));
  });
  if (words.empty())
    eachWord(query, [&](StringRef word) { words.insert(stem(word)); });
}

unsigned SearchWords::countIn(StringRef text) const {
  llvm::StringSet<> found;
  eachWord(text, [&](StringRef word) {
    if (std::string key = stem(word); words.contains(key))
      found.insert(key);
  });
  return found.size();
}

//===--- pages ----------------------------------------------------------------===//

namespace {
struct Candidate {
  PageHit hit;
  unsigned words, weight; // how many of the words it has, and where
};

/// The parts of one page.
class Page {
public:
  Page(StringRef path, const SearchWords &words, std::vector<Candidate> &out)
      : path(path), words(words), out(out) {}

  void read(StringRef text) {
    bool inCode = false;
    for (unsigned number = 1; !text.empty(); ++number) {
      StringRef line;
      std::tie(line, text) = text.split('\n');
      if (line.starts_with("```"))
        inCode = !inCode;
      if (inCode || !line.starts_with("#")) {
        body += line.str() + "\n";
        continue;
      }
      close();
      heading = line.ltrim("# ").str();
      if (title.empty())
        title = heading;
      begin = number;
      body.clear();
    }
    close();
  }

private:
  void close() {
    unsigned inHeading = words.countIn(heading);
    unsigned all = words.countIn(title + "\n" + heading + "\n" + body);
    if (all > words.countIn(title) || inHeading)
      out.push_back({{path, begin, heading, sentence()}, all, 4 * inHeading + words.countIn(body)});
  }

  /// Of the prose, else the line of a table or of code.
  std::string sentence() const {
    std::string best, text = body;
    unsigned most = 0;
    llvm::SmallVector<StringRef> paragraphs;
    StringRef(text).split(paragraphs, "\n\n");
    for (StringRef paragraph : paragraphs) {
      paragraph = paragraph.trim('\n');
      bool isProse = !llvm::is_contained({'|', '`', ' '}, paragraph.empty() ? ' ' : paragraph[0]);
      llvm::SmallVector<StringRef> parts;
      paragraph.split(parts, isProse ? ". " : "\n");
      for (StringRef part : parts)
        if (unsigned count = words.countIn(part); count > most) {
          most = count;
          best = part.trim("\n |`*").str() + (isProse && !part.ends_with(".") ? "." : "");
        }
    }
    llvm::replace(best, '\n', ' ');
    return best;
  }

  std::string path, title, heading, body;
  unsigned begin = 1;
  const SearchWords &words;
  std::vector<Candidate> &out;
};
} // namespace

std::string driver::pagesDir() {
  llvm::SmallString<128> installed(executablePath());
  llvm::sys::path::append(installed, "../../share/doc/sluice");
  llvm::sys::path::remove_dots(installed, /*remove_dot_dot=*/true);
  return llvm::sys::fs::exists(installed + "/README.md") ? installed.str().str() : sourceTree();
}

/// README.md, docs/*.md and those of the examples, without the page about the source tree and the
/// list of messages, which `sluice explain-error` is for.
static std::vector<std::string> pagePaths(StringRef folder) {
  std::vector<std::string> paths = {"README.md"};
  for (StringRef part : {"docs", "examples"}) {
    std::error_code error;
    for (llvm::sys::fs::recursive_directory_iterator it(folder + "/" + part, error), end;
         it != end && !error; it.increment(error)) {
      StringRef path = StringRef(it->path()).drop_front(folder.size() + 1);
      bool isForUsers = !path.starts_with("docs/errors") && path != "docs/architecture.md";
      if (path.ends_with(".md") && isForUsers)
        paths.push_back(path.str());
    }
  }
  llvm::sort(paths);
  return paths;
}

std::vector<PageHit> driver::searchPages(StringRef folder, const SearchWords &words,
                                         unsigned most) {
  std::vector<Candidate> found;
  for (const std::string &path : pagePaths(folder))
    if (auto text = llvm::MemoryBuffer::getFile(folder + "/" + path))
      Page(path, words, found).read((*text)->getBuffer());
  llvm::stable_sort(found, [](const Candidate &a, const Candidate &b) {
    return std::pair(a.words, a.weight) > std::pair(b.words, b.weight);
  });
  std::vector<PageHit> hits;
  for (const Candidate &each : found) // what has fewer words than the best is not what is meant
    if (hits.size() < most && each.words == found.front().words)
      hits.push_back(each.hit);
  return hits;
}
