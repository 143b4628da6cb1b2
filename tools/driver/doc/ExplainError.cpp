//===- ExplainError.cpp - sluice explain-error: what a message means ------===//
//
// The codes and messages are those of Diagnostics.def; a page for each is installed beside the
// toolkit (docs/errors in the source tree).
//
//===----------------------------------------------------------------------===//
#include "frontend/diagnostics/Diagnostics.h"
#include "tools/driver/Compile.h"
#include "tools/driver/Suggestion.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace sluice;
using namespace sluice::driver;
using llvm::raw_ostream;
using llvm::StringRef;

/// The message with "..." where its arguments stand.
static std::string messageOf(const DiagEntry &entry) {
  return llvm::formatv(/*Validate=*/false, entry.text, "...", "...", "...", "...", "...").str();
}

/// The id without what it begins with: unknown_name.
static StringRef plainName(const DiagEntry &entry) { return entry.name.split('_').second; }

/// Those that have a code, in the order of codes.
static std::vector<const DiagEntry *> entriesWithCode() {
  std::vector<const DiagEntry *> result;
  for (const DiagEntry &entry : diagEntries())
    if (entry.code)
      result.push_back(&entry);
  llvm::sort(result, [](auto *a, auto *b) { return a->code < b->code; });
  return result;
}

/// The number in SL0123, sl123, 0123 or [SL0123].
static std::optional<unsigned> numberIn(StringRef word) {
  word.consume_front("[");
  word.consume_back("]");
  word.consume_front_insensitive("SL");
  unsigned code;
  return word.getAsInteger(10, code) ? std::nullopt : std::optional(code);
}

/// The entry with this code, or with this id; or null.
static const DiagEntry *find(const std::vector<const DiagEntry *> &entries, StringRef word) {
  std::optional<unsigned> code = numberIn(word);
  auto found = llvm::find_if(entries, [&](const DiagEntry *entry) {
    return code ? entry->code == *code : word == entry->name || word == plainName(*entry);
  });
  return found == entries.end() ? nullptr : *found;
}

static const char *severityName(const DiagEntry &entry) {
  return entry.severity == mlir::DiagnosticSeverity::Error ? "error" : "warning";
}

/// The page as text: its code and message have been said, and a block stands under what its fence
/// says.
static void printPage(StringRef page, raw_ostream &os) {
  bool inBlock = false;
  while (page.starts_with("#") || page.starts_with(">") || page.starts_with("\n"))
    page = page.split('\n').second;
  while (!page.empty()) {
    StringRef line;
    std::tie(line, page) = page.split('\n');
    if (!line.consume_front("```")) {
      os << (inBlock && !line.empty() ? "    " : "") << line << "\n";
      continue;
    }
    inBlock = !inBlock;
    if (inBlock && line.consume_front("spl "))
      os << (line == "wrong" || line == "right" ? line : "the file " + line.str()) << ":\n\n";
  }
}

static int unknownCode(const std::vector<const DiagEntry *> &entries, StringRef word) {
  std::vector<StringRef> names;
  for (const DiagEntry *entry : entries)
    names.push_back(plainName(*entry));
  std::string hint = suggestion(word, names);
  llvm::errs() << "sluice: no error or warning has the code `" << word << "`"
               << (numberIn(word) ? ": they go from " + codeText(entries.front()->code) + " to " +
                                        codeText(entries.back()->code)
                                  : hint)
               << "\nTry `sluice explain-error` for a list\n";
  return kUsage;
}

int driver::explainErrorCommand(const DriverOptions &options) {
  std::vector<const DiagEntry *> entries = entriesWithCode();
  if (options.input.empty()) {
    for (const DiagEntry *entry : entries)
      llvm::outs() << codeText(entry->code) << " " << severityName(*entry) << ": "
                   << messageOf(*entry) << "\n";
    return 0;
  }
  const DiagEntry *entry = find(entries, options.input);
  if (!entry)
    return unknownCode(entries, options.input);
  std::string path = errorPagesDir() + "/" + codeText(entry->code) + ".md";
  auto page = llvm::MemoryBuffer::getFile(path);
  if (!page)
    return fail(llvm::createStringError("cannot read `" + path + "`"));
  llvm::outs() << codeText(entry->code) << " " << severityName(*entry) << ": " << messageOf(*entry)
               << "\n\n";
  printPage((*page)->getBuffer(), llvm::outs());
  return 0;
}
