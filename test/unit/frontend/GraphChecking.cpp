//===- GraphChecking.cpp - analyze whole programs in a test ---------------===//
#include "GraphChecking.h"
#include "frontend/Frontend.h"
#include "mlir/IR/Location.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace sluice;

namespace {
/// One analysis; collects diagnostics as text.
class Analysis {
public:
  Analysis() : diags(&context) {
    context.getDiagEngine().registerHandler([this](mlir::Diagnostic &d) {
      // Most of these programs end in streams that nothing reads, or that get nothing.
      std::string text = d.str();
      if (llvm::StringRef(text).starts_with("nothing reads stream") ||
          llvm::StringRef(text).starts_with("nothing is submitted"))
        return mlir::success();
      static const char *const names[] = {"note", "warning", "error", "remark"};
      add(d, names[unsigned(d.getSeverity())]);
      for (mlir::Diagnostic &note : d.getNotes())
        add(note, "note");
      return mlir::success();
    });
    options.stdlibDir = SLUICE_TOOLKIT_DIR;
  }

  std::string run(uint32_t file) {
    ast::Unit *unit = parse(ast, diags, file);
    if (!unit || diags.errors())
      return out + "does not parse\n";
    main = file;
    if (auto program = analyze(ast, types, diags, unit, options))
      print(program->main);
    return out;
  }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  Diagnostics diags;
  FrontendOptions options;

private:
  void add(mlir::Diagnostic &d, const char *severity) {
    if (auto at = mlir::dyn_cast<mlir::FileLineColRange>(d.getLocation())) {
      llvm::StringRef name = at.getFilename().getValue();
      if (name != diags.path(main ? main : 1))
        out += llvm::sys::path::filename(name).str() + ":";
      out += std::to_string(at.getStartLine()) + ": ";
    }
    out += std::string(severity) + ": " + d.str() + "\n";
  }

  void print(typed::Composite &composite) {
    llvm::raw_string_ostream os(out);
    for (typed::Operator &op : composite.operators) {
      os << op.name << " = " << op.kind << (op.isCatch ? " catch" : "") << "(";
      for (auto [index, port] : llvm::enumerate(op.inputs)) {
        os << (index ? "; " : "");
        llvm::interleaveComma(port.streams, os, [&](auto *stream) { os << stream->name; });
      }
      os << ")";
      for (auto [index, port] : llvm::enumerate(op.outputs))
        os << (index ? ", " : " -> ") << port.stream->name << "[" << port.values.size() << "]";
      for (auto [index, param] : llvm::enumerate(op.params))
        os << (index ? ", " : " {") << param.name << (param.perTuple ? "*" : "") << ":"
           << param.values.size();
      os << (op.params.empty() ? "\n" : "}\n");
    }
    for (typed::Composite &inner : composite.composites)
      print(inner);
  }

  ASTContext ast;
  TypeContext types;
  std::string out;
  uint32_t main = 0;
};
} // namespace

std::string test::analyzed(const std::string &text, const std::string &main) {
  Analysis analysis;
  analysis.options.main = main;
  // A directory of its own: neighbours of a file are part of its namespace.
  analysis.options.appDir = "/nonexistent";
  return analysis.run(analysis.diags.add(llvm::MemoryBuffer::getMemBufferCopy(text, "test.spl")));
}

namespace {
/// Files in a directory that ends with the object.
class Directory {
public:
  explicit Directory(const test::Files &files) {
    if (llvm::sys::fs::createUniqueDirectory("sluice-modules", dir))
      llvm::report_fatal_error("cannot make a directory for a test");
    for (auto &[name, text] : files) {
      std::error_code error =
          llvm::sys::fs::create_directories(llvm::sys::path::parent_path(path(name)));
      llvm::raw_fd_ostream(path(name), error) << text;
    }
  }
  ~Directory() { llvm::sys::fs::remove_directories(dir); }
  std::string path(const std::string &name) const { return (dir + "/" + name).str(); }

private:
  llvm::SmallString<128> dir;
};
} // namespace

std::string test::analyzedFile(const Files &files, const std::string &file, const std::string &main,
                               const std::vector<std::string> &toolkits) {
  Directory directory(files);
  Analysis analysis;
  analysis.options.main = main;
  for (const std::string &toolkit : toolkits)
    analysis.options.toolkits.push_back(directory.path(toolkit));
  return analysis.run(analysis.diags.open(directory.path(file)));
}

std::string test::analyzedWithToolkit(const std::string &toolkit, const std::string &text) {
  Directory directory({{"toolkit/ops.spl", toolkit}, {"app/Main.spl", text}});
  Analysis analysis;
  analysis.options.stdlibDir = directory.path("toolkit");
  return analysis.run(analysis.diags.open(directory.path("app/Main.spl")));
}

std::string test::inGraph(const std::string &body) {
  return analyzed(
      "composite Main { graph stream<int32 n, rstring s> In = Beacon() { param iterations : 3; } " +
      body + "\n}");
}
