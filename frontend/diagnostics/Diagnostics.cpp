//===- Diagnostics.cpp - sources and typed diagnostics ---------------------===//
//
// File numbers are buffer ids of the SourceMgr. Ranges become FileLineColRange
// locations: 1-based lines and byte columns, the end column behind the range.
//
//===----------------------------------------------------------------------===//
#include "frontend/diagnostics/Diagnostics.h"
#include "frontend/diagnostics/MixedMode.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace sluice;

namespace {
constexpr auto Error = mlir::DiagnosticSeverity::Error;
constexpr auto Warning = mlir::DiagnosticSeverity::Warning;
constexpr auto Note = mlir::DiagnosticSeverity::Note;
const DiagEntry entries[] = {
#define DIAG(id, severity, code, text) {#id, severity, code, text},
#define NOTE(id, text) {#id, Note, 0, text},
#include "frontend/diagnostics/Diagnostics.def"
#undef DIAG
#undef NOTE
};
const DiagEntry &entry(Diag id) { return entries[unsigned(id)]; }
} // namespace

llvm::ArrayRef<DiagEntry> sluice::diagEntries() { return entries; }

std::string sluice::codeText(unsigned code) {
  return code ? llvm::formatv("SL{0,0+4}", code).str() : "";
}

unsigned sluice::codeOf(mlir::Diagnostic &diagnostic) {
  auto &metadata = diagnostic.getMetadata(); // start() puts it there
  return metadata.empty() ? 0 : metadata.front().getAsUnsigned();
}

/// The metadata of a marked diagnostic: its code, whether it is a cause, numbers of files.
static void mark(mlir::InFlightDiagnostic &error, bool isCause, llvm::ArrayRef<unsigned> sources) {
  mlir::Diagnostic *diagnostic = error.getUnderlyingDiagnostic();
  if (!diagnostic) // a warning that is not shown
    return;
  auto &metadata = diagnostic->getMetadata();
  metadata.truncate(1);
  metadata.emplace_back(unsigned(isCause));
  for (unsigned source : sources)
    metadata.emplace_back(source);
}

void sluice::markCause(mlir::InFlightDiagnostic &error, unsigned source) {
  mark(error, /*isCause=*/true, source ? llvm::ArrayRef(source) : llvm::ArrayRef<unsigned>());
}

void sluice::markDoubtful(mlir::InFlightDiagnostic &error, llvm::ArrayRef<unsigned> sources) {
  if (!sources.empty())
    mark(error, /*isCause=*/false, sources);
}

DiagRole sluice::roleOf(mlir::Diagnostic &diagnostic) {
  DiagRole role;
  auto &metadata = diagnostic.getMetadata();
  if (metadata.size() < 2)
    return role;
  role.isCause = metadata[1].getAsUnsigned();
  for (const mlir::DiagnosticArgument &source : llvm::drop_begin(metadata, 2))
    role.sources.push_back(source.getAsUnsigned());
  return role;
}

const char *Diagnostics::text(Diag id) { return entry(id).text; }
mlir::DiagnosticSeverity Diagnostics::severity(Diag id) { return entry(id).severity; }
llvm::StringRef Diagnostics::name(Diag id) { return entry(id).name; }

Diagnostics::Diagnostics(mlir::MLIRContext *context)
    : ctx(context), sources(std::make_unique<llvm::SourceMgr>()) {}
Diagnostics::~Diagnostics() = default;

/// Programs in the folder of `path` with names like it.
static NearNames nearFiles(llvm::StringRef path) {
  llvm::StringRef folder = llvm::sys::path::parent_path(path);
  NearNames near(llvm::sys::path::filename(path));
  std::error_code error;
  for (llvm::sys::fs::directory_iterator file(folder.empty() ? "." : folder, error), end;
       file != end && !error; file.increment(error))
    if (llvm::StringRef name = llvm::sys::path::filename(file->path());
        name.ends_with(".spl") && name != llvm::sys::path::filename(path)) {
      llvm::SmallString<128> written(folder);
      llvm::sys::path::append(written, name);
      near.offer(name, written);
    }
  return near;
}

/// The programs in a folder, as one writes them; of many the first.
static std::string programsIn(llvm::StringRef folder) {
  static constexpr size_t most = 5;
  std::vector<std::string> names;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator file(folder, error), end; file != end && !error;
       file.increment(error))
    if (llvm::StringRef(file->path()).ends_with(".spl"))
      names.push_back("`" + file->path() + "`");
  llvm::sort(names);
  bool isCut = names.size() > most;
  names.resize(std::min(names.size(), most));
  return llvm::join(names, ", ") + (isCut ? ", ..." : "");
}

uint32_t Diagnostics::open(llvm::StringRef path, Problems *held) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false);
  if (buffer && path.ends_with(".splmm")) {
    Problems problems;
    uint32_t file = expand(add(std::move(*buffer)), held ? *held : problems);
    for (const Problem &problem : problems)
      report(problem);
    return file;
  }
  if (buffer)
    return add(std::move(*buffer));
  auto error = report(Range(), Diag::err_cannot_open, path, buffer.getError().message());
  if (std::string program = path.str() + ".spl"; llvm::sys::fs::exists(program))
    note(error, Range(), Diag::note_did_you_mean, program);
  else if (std::string programs = programsIn(path); !programs.empty())
    note(error, Range(), Diag::note_programs_in, programs);
  else if (!llvm::sys::fs::exists(path))
    noteNear(error, Range(), nearFiles(path));
  return 0;
}

uint32_t Diagnostics::expand(uint32_t source, Problems &problems) {
  Expansion expansion = expandTemplate(path(source), text(source), templateArgs);
  if (!expansion.complaint.empty()) {
    size_t line = std::min<size_t>(expansion.complaintLine, lineStarts[source].size()) - 1;
    uint32_t begin = lineStarts[source][line];
    uint32_t end = begin + this->line(source, line + 1).size();
    Range range = {source, begin, end};
    Diag id = expansion.failed ? Diag::err_template : Diag::warn_template;
    problems.push_back({range, id, {expansion.complaint}, {}});
  }
  if (expansion.failed)
    return 0;
  return addMade(expansion.text, source, std::move(expansion.lines));
}

uint32_t Diagnostics::addMade(llvm::StringRef text, uint32_t source, std::vector<uint32_t> lines) {
  uint32_t file = add(llvm::MemoryBuffer::getMemBufferCopy(text, path(source)));
  origins[file] = {source, std::move(lines)};
  return file;
}

uint32_t Diagnostics::add(std::unique_ptr<llvm::MemoryBuffer> buffer) {
  std::vector<uint32_t> starts = {0};
  llvm::StringRef text = buffer->getBuffer();
  for (size_t at = text.find('\n'); at != llvm::StringRef::npos; at = text.find('\n', at + 1))
    starts.push_back(at + 1);
  uint32_t file = sources->AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  lineStarts.resize(file + 1); // others may add buffers to the SourceMgr, too
  lineStarts[file] = std::move(starts);
  return file;
}

llvm::StringRef Diagnostics::text(uint32_t file) const {
  return sources->getMemoryBuffer(file)->getBuffer();
}

llvm::StringRef Diagnostics::path(uint32_t file) const {
  return sources->getMemoryBuffer(file)->getBufferIdentifier();
}

llvm::StringRef Diagnostics::text(Range range) const {
  return range ? text(range.file).slice(range.begin, range.end) : llvm::StringRef();
}

llvm::StringRef Diagnostics::line(uint32_t file, unsigned number) const {
  const std::vector<uint32_t> &starts = lineStarts[file];
  return number && number <= starts.size()
             ? text(file).drop_front(starts[number - 1]).split('\n').first
             : llvm::StringRef();
}

std::pair<unsigned, unsigned> Diagnostics::lineAndColumn(Range range) const {
  const std::vector<uint32_t> &starts = lineStarts[range.file];
  auto next = llvm::upper_bound(starts, range.begin);
  return {next - starts.begin(), range.begin - *std::prev(next) + 1};
}

mlir::Location Diagnostics::location(Range range) const {
  if (!range)
    return mlir::UnknownLoc::get(ctx);
  auto [line, column] = lineAndColumn(range);
  auto [endLine, endColumn] = lineAndColumn({range.file, std::max(range.begin, range.end), 0});
  if (auto origin = origins.find(range.file); origin != origins.end()) {
    auto [source, lines] = origin->second;
    unsigned from = lines[line - 1], to = lines[endLine - 1];
    // A line that Perl has a part in is not as long as that of the template.
    llvm::StringRef there = this->line(source, from);
    if (there != this->line(range.file, line)) {
      column = there.size() - there.ltrim().size() + 1;
      to = from;
      endColumn = there.rtrim().size() + 1;
    }
    return mlir::FileLineColRange::get(ctx, path(source), from, column, to, endColumn);
  }
  return mlir::FileLineColRange::get(ctx, path(range.file), line, column, endLine, endColumn);
}

std::string Diagnostics::message(const Problem &problem) {
  // formatv wants to know the number of its arguments.
  std::array<llvm::StringRef, 2> args;
  llvm::copy(problem.args, args.begin());
  return llvm::formatv(/*Validate=*/false, text(problem.id), args[0], args[1]).str();
}

mlir::InFlightDiagnostic Diagnostics::report(const Problem &problem) {
  auto diagnostic = start(problem.range, problem.id, message(problem));
  for (const Problem &note : problem.notes)
    diagnostic.attachNote(location(note.range)) << message(note);
  return diagnostic;
}

bool Diagnostics::noteNear(mlir::InFlightDiagnostic &to, Range range, const NearNames &names) {
  std::vector<std::string> best = names.best();
  for (const std::string &name : best)
    note(to, range, Diag::note_did_you_mean, name);
  return !best.empty();
}

mlir::InFlightDiagnostic Diagnostics::start(Range range, Diag id, std::string message) {
  mlir::DiagnosticSeverity level = severity(id);
  if (level == Error)
    ++errorCount;
  usage |= id == Diag::err_no_main_named; // --main
  if (level == Warning && (warnings == Warnings::Hidden || quiet.contains(range.file)))
    return {};
  if (level == Warning && warnings == Warnings::Errors) {
    ++fatalWarnings;
    level = Error;
    message += " [-Werror]";
  }
  auto diagnostic = ctx->getDiagEngine().emit(location(range), level);
  diagnostic << message;
  diagnostic.getUnderlyingDiagnostic()->getMetadata().emplace_back(entry(id).code);
  return diagnostic;
}
