//===- Diagnostics.h - sources and typed diagnostics ------------*- C++ -*-===//
//
// Every message of the frontend is an entry of Diagnostics.def. They go through
// MLIR's DiagnosticEngine (so `expected-error` works in .spl tests) and are
// printed by our handler as clang prints them: file:line:col, the source line,
// a caret and the range, notes.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "frontend/diagnostics/Problem.h"
#include "frontend/diagnostics/Spelling.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"

namespace sluice {

/// An entry of Diagnostics.def.
struct DiagEntry {
  llvm::StringLiteral name; // err_unknown_name
  mlir::DiagnosticSeverity severity;
  unsigned code; // 0: a note
  const char *text;
};
llvm::ArrayRef<DiagEntry> diagEntries();

/// How a code is written: SL0123. Empty for 0.
std::string codeText(unsigned code);
/// The code of a diagnostic that Diagnostics has reported; of one of a pass 0.
unsigned codeOf(mlir::Diagnostic &);

/// Says that the error is the cause of others: it comes before them. `source`: the number of the
/// file that cannot be read for it; 0 if there is none.
void markCause(mlir::InFlightDiagnostic &, unsigned source = 0);
/// Says that the error is none if one of these files turns out to be a cause: what it misses may
/// be there.
void markDoubtful(mlir::InFlightDiagnostic &, llvm::ArrayRef<unsigned> sources);

/// What a diagnostic was marked as.
struct DiagRole {
  bool isCause = false;
  llvm::SmallVector<unsigned, 2> sources; // of a cause, or else those that make it doubtful
};
DiagRole roleOf(mlir::Diagnostic &);

class Diagnostics {
public:
  explicit Diagnostics(mlir::MLIRContext *context);
  ~Diagnostics();

  /// Loads a file; returns its number, or 0 after reporting err_cannot_open. One in mixed mode
  /// becomes what its template writes; locations are those of the template. `held` gets what
  /// Perl complains about, instead of a report.
  uint32_t open(llvm::StringRef path, Problems *held = nullptr);
  uint32_t add(std::unique_ptr<llvm::MemoryBuffer> buffer);
  /// Adds a text that was made of file `source`; `lines`: for each of its lines, the line there.
  /// Locations are those of the source.
  uint32_t addMade(llvm::StringRef text, uint32_t source, std::vector<uint32_t> lines);
  /// Files are numbered from 1 to this.
  uint32_t files() const { return sources->getNumBuffers(); }
  llvm::StringRef text(uint32_t file) const;
  llvm::StringRef path(uint32_t file) const;
  llvm::StringRef text(Range) const;
  llvm::StringRef line(uint32_t file, unsigned number) const; // 1-based; "" past the end
  std::pair<unsigned, unsigned> lineAndColumn(Range) const;   // of begin, 1-based
  /// FileLineColRange of the range.
  mlir::Location location(Range) const;

  /// Reports Diag `id` at `range`; `{0}` in its text are the arguments. Returns
  /// the in-flight diagnostic, to attach notes with note().
  template <typename... Args>
  mlir::InFlightDiagnostic report(Range range, Diag id, const Args &...args) {
    return start(range, id, llvm::formatv(text(id), args...).str());
  }
  template <typename... Args>
  void note(mlir::InFlightDiagnostic &to, Range range, Diag id, const Args &...args) {
    if (to.getUnderlyingDiagnostic()) // else it is a warning that is not shown
      to.attachNote(location(range)) << llvm::formatv(text(id), args...).str();
  }
  /// Asks whether one of the names was meant. False if there are none.
  bool noteNear(mlir::InFlightDiagnostic &to, Range range, const NearNames &);
  /// Reports a problem that was found before, with its notes.
  mlir::InFlightDiagnostic report(const Problem &);
  /// What its diagnostic says.
  static std::string message(const Problem &);
  /// Without warnings that count as errors; with what was withheld.
  unsigned errors() const { return errorCount; }
  /// Counts as an error that nobody sees: what follows from it cannot be checked, because it
  /// depends on what is not known, such as a parameter of a composite that is checked on its own.
  void withhold() { ++errorCount, ++withheldCount; }
  /// The same of an error that is not reported yet.
  void withdraw(mlir::InFlightDiagnostic &error) {
    error.abandon();
    ++withheldCount;
  }
  /// The errors that were reported.
  unsigned shownErrors() const { return errorCount - withheldCount; }
  /// Whether an error was about the command line, not about the program.
  bool isUsage() const { return usage; }

  /// The @ARGV of files in mixed mode.
  void setTemplateArguments(std::vector<std::string> args) { templateArgs = std::move(args); }

  enum class Warnings { Shown, Hidden, Errors };
  void setWarnings(Warnings how) { warnings = how; }
  /// Warnings about this file are not shown: its author is not the one who compiles it.
  void hideWarnings(uint32_t file) { quiet.insert(file); }
  /// Whether nothing was reported that stops the compiler, not even a warning that does.
  bool isClean() const { return !shownErrors() && !fatalWarnings; }

  mlir::MLIRContext *context() const { return ctx; }
  llvm::SourceMgr &sourceMgr() { return *sources; }

  static const char *text(Diag);
  static mlir::DiagnosticSeverity severity(Diag);
  static llvm::StringRef name(Diag);

private:
  mlir::InFlightDiagnostic start(Range, Diag, std::string message);
  /// Opens what the file numbered `source`, a template, writes; 0 if Perl fails.
  uint32_t expand(uint32_t source, Problems &problems);
  /// A text that a template has written: the template, and for each line the line there.
  struct Origin {
    uint32_t source;
    std::vector<uint32_t> lines;
  };
  mlir::MLIRContext *ctx;
  std::unique_ptr<llvm::SourceMgr> sources;
  llvm::SmallVector<std::vector<uint32_t>> lineStarts; // by number of file: where lines begin
  unsigned errorCount = 0, withheldCount = 0, fatalWarnings = 0;
  bool usage = false;
  Warnings warnings = Warnings::Shown;
  llvm::SmallDenseSet<uint32_t> quiet;
  llvm::DenseMap<uint32_t, Origin> origins; // by number of file
  std::vector<std::string> templateArgs;
};

} // namespace sluice
