//===- DiagnosticPrinter.cpp - diagnostics as clang prints them ------------===//
//
//   file:line:col: error: text [SL0123]
//       x = y + ;
//             ^~
//
// Locations of other kinds (names, call sites, fused) are reduced to the file
// position that they carry; callers become notes.
//
//===----------------------------------------------------------------------===//
#include "frontend/diagnostics/DiagnosticPrinter.h"
#include "llvm/Support/Locale.h"

using namespace sluice;
using llvm::raw_ostream;
using llvm::StringRef;

namespace {

/// What can be said about a location: a position in a file, and words.
struct Place {
  mlir::FileLineColRange position;
  std::string words; // from NameLoc, without a position
  llvm::SmallVector<mlir::Location> callers;
};

void describe(mlir::Location loc, Place &place) {
  if (auto range = llvm::dyn_cast<mlir::FileLineColRange>(loc)) {
    if (!place.position)
      place.position = range;
  } else if (auto name = llvm::dyn_cast<mlir::NameLoc>(loc)) {
    if (place.words.empty())
      place.words = name.getName().str();
    describe(name.getChildLoc(), place);
  } else if (auto call = llvm::dyn_cast<mlir::CallSiteLoc>(loc)) {
    describe(call.getCallee(), place);
    place.callers.push_back(call.getCaller());
  } else if (auto fused = llvm::dyn_cast<mlir::FusedLoc>(loc)) {
    for (mlir::Location part : fused.getLocations())
      describe(part, place);
  }
}

/// The text of a one-based line, without its end.
StringRef lineOf(StringRef text, unsigned line) {
  while (--line > 0) {
    size_t end = text.find('\n');
    if (end == StringRef::npos)
      return {};
    text = text.drop_front(end + 1);
  }
  return text.take_until([](char c) { return c == '\n'; }).rtrim('\r');
}

/// Tabs as blanks up to the next multiple of 8, so that the caret fits.
std::string expandTabs(StringRef text) {
  std::string out;
  for (char c : text) {
    if (c == '\t')
      out.append(8 - out.size() % 8, ' ');
    else
      out.push_back(c);
  }
  return out;
}

/// Columns on a terminal that the first `bytes` of the line take.
unsigned widthOf(StringRef line, unsigned bytes) {
  std::string text = expandTabs(line.take_front(bytes));
  int width = llvm::sys::locale::columnWidth(text);
  return width < 0 ? text.size() : width;
}

/// The part of a line around bytes `begin` to `end` that is shown, and these within it.
struct Excerpt {
  std::string text;
  size_t begin, end;
};

constexpr size_t kMostShown = 240; // bytes of a line

/// Characters are not cut.
Excerpt excerpt(StringRef line, size_t begin, size_t end) {
  if (line.size() <= kMostShown)
    return {line.str(), begin, end};
  auto isInside = [&](size_t at) { return (uint8_t(line[at]) & 0xc0) == 0x80; };
  size_t first = begin > kMostShown / 2 ? begin - kMostShown / 2 : 0;
  while (first && isInside(first))
    --first;
  size_t last = std::min(first + kMostShown, line.size());
  while (last < line.size() && isInside(last))
    ++last;
  std::string before = first ? "..." : "", after = last < line.size() ? "..." : "";
  size_t shift = before.size() - first;
  return {before + line.slice(first, last).str() + after, begin + shift,
          std::min(end, last) + shift};
}

} // namespace

struct DiagnosticPrinter::Impl {
  Diagnostics &diagnostics;
  raw_ostream &os;
  bool colors;
  llvm::StringMap<uint32_t> files; // path to number
  mlir::DiagnosticEngine::HandlerID handler = 0;
  std::shared_ptr<ErrorLimit> limit;

  void print(mlir::Diagnostic &);
  void printOne(mlir::DiagnosticSeverity, mlir::Location, StringRef message, unsigned code = 0);
  void printSource(mlir::FileLineColRange);
  uint32_t fileNumber(StringRef path);
  void color(raw_ostream::Colors c, bool bold = true) {
    if (colors)
      os.changeColor(c, bold);
  }
  void plain() {
    if (colors)
      os.resetColor();
  }
};

uint32_t DiagnosticPrinter::Impl::fileNumber(StringRef path) {
  if (auto known = files.find(path); known != files.end())
    return known->second;
  for (uint32_t i = 1; i <= diagnostics.sourceMgr().getNumBuffers(); ++i)
    if (diagnostics.path(i) == path)
      return files[path] = i;
  return 0;
}

void DiagnosticPrinter::Impl::print(mlir::Diagnostic &diagnostic) {
  if (!limit->take(diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error))
    return;
  printOne(diagnostic.getSeverity(), diagnostic.getLocation(), diagnostic.str(),
           codeOf(diagnostic));
  for (mlir::Diagnostic &note : diagnostic.getNotes())
    printOne(note.getSeverity(), note.getLocation(), note.str());
  os.flush();
}

void DiagnosticPrinter::Impl::printOne(mlir::DiagnosticSeverity severity, mlir::Location loc,
                                       StringRef message, unsigned code) {
  Place place;
  describe(loc, place);
  color(raw_ostream::SAVEDCOLOR);
  if (place.position)
    os << place.position.getFilename().getValue() << ':' << place.position.getStartLine() << ':'
       << place.position.getStartColumn() << ": ";
  else if (!place.words.empty())
    os << '`' << place.words << "`: ";
  switch (severity) {
  case mlir::DiagnosticSeverity::Error:
    color(raw_ostream::RED);
    os << "error: ";
    break;
  case mlir::DiagnosticSeverity::Warning:
    color(raw_ostream::MAGENTA);
    os << "warning: ";
    break;
  case mlir::DiagnosticSeverity::Note:
    color(raw_ostream::CYAN);
    os << "note: ";
    break;
  case mlir::DiagnosticSeverity::Remark:
    color(raw_ostream::BLUE);
    os << "remark: ";
    break;
  }
  plain();
  if (severity != mlir::DiagnosticSeverity::Note)
    color(raw_ostream::SAVEDCOLOR);
  os << message;
  plain();
  if (code)
    os << " [" << codeText(code) << ']';
  os << '\n';
  if (place.position)
    printSource(place.position);
  for (mlir::Location caller : place.callers)
    printOne(mlir::DiagnosticSeverity::Note, caller, "used from here");
}

void DiagnosticPrinter::Impl::printSource(mlir::FileLineColRange range) {
  uint32_t file = fileNumber(range.getFilename());
  if (!file || !range.getStartLine())
    return;
  StringRef line = lineOf(diagnostics.text(file), range.getStartLine());
  if (line.contains('\0'))
    return; // it is no text
  unsigned begin = std::min<size_t>(std::max(range.getStartColumn(), 1u) - 1, line.size());
  unsigned end = range.getEndLine() > range.getStartLine()
                     ? line.size() // the range goes on below
                     : std::min<size_t>(range.getEndColumn() - 1, line.size());
  Excerpt shown = excerpt(line, begin, std::max(begin, end));
  unsigned from = widthOf(shown.text, shown.begin);
  unsigned to = std::max(widthOf(shown.text, shown.end), from + 1);
  os << expandTabs(shown.text) << '\n' << std::string(from, ' ');
  color(raw_ostream::GREEN);
  os << '^' << std::string(to - from - 1, '~');
  plain();
  os << '\n';
}

bool ErrorLimit::take(bool isError) {
  errors += isError;
  return !most || errors <= most;
}

ErrorLimit::~ErrorLimit() {
  if (unsigned hidden = most && errors > most ? errors - most : 0)
    os << "sluice: " << hidden << (hidden == 1 ? " more error is" : " more errors are")
       << " not shown (--error-limit=0 shows all)\n";
}

DiagnosticPrinter::DiagnosticPrinter(Diagnostics &diagnostics, raw_ostream &os, unsigned errorLimit)
    : DiagnosticPrinter(diagnostics, os, std::make_shared<ErrorLimit>(os, errorLimit)) {}

DiagnosticPrinter::DiagnosticPrinter(Diagnostics &diagnostics, raw_ostream &os,
                                     std::shared_ptr<ErrorLimit> limit)
    : impl(new Impl{diagnostics, os, os.has_colors(), {}, 0, std::move(limit)}) {
  impl->handler =
      diagnostics.context()->getDiagEngine().registerHandler([this](mlir::Diagnostic &diagnostic) {
        impl->print(diagnostic);
        return mlir::success();
      });
}

DiagnosticPrinter::~DiagnosticPrinter() {
  impl->diagnostics.context()->getDiagEngine().eraseHandler(impl->handler);
}
