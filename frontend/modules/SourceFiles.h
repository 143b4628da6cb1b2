//===- SourceFiles.h - the files of a program, by namespace ---------*- C++ -*-===//
//
// Files are found by namespace and parsed only when a name that they define is
// looked up: a scan of the text lists what a file defines at its top level, so that
// the standard toolkit costs next to nothing.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "frontend/Frontend.h"
#include "frontend/modules/Modules.h"
#include "frontend/modules/Scan.h"
#include "frontend/modules/Toolkits.h"
#include "frontend/modules/native/CppOperator.h"
#include <deque>
#include <map>

namespace sluice::sema {

class SourceFiles {
protected:
  using Kind = Modules::Kind;
  struct SourceFile {
    std::string path;
    uint32_t file = 0;
    FileSummary summary;
    ast::Unit *unit = nullptr;
    Problems problems;                 // why it could not be parsed; empty once they are reported
    std::optional<NativeModel> native; // of a function model, which has this text
    std::optional<CppOperatorModel> cppOperator;             // of an operator model
    bool toolkitFile = false, isOwn = false, parsed = false; // own: of the application
    bool isOpaque = false; // it cannot be read at all: any name may be defined there
    unsigned number = 0;   // from 1
    std::optional<llvm::StringSet<>> words; // of its text, once an unknown name may be there
  };
  /// A toolkit that an info.xml asks for and that is not there.
  struct UnmetNeed {
    std::string info;
    const Toolkit::Need *need;
    const Toolkit *other; // is there in another version, or null
  };
  using Files = std::vector<SourceFile *>;

  SourceFiles(ASTContext &, Diagnostics &, const FrontendOptions &, ast::Unit *main);
  /// Something of the toolkit is used: what its info.xml asks for has to be there.
  void use(const Toolkit &);
  /// Says where namespaces were looked for.
  void noteLookedIn(mlir::InFlightDiagnostic &, Range);
  /// The namespace that `ns` means: the toolkits that are built in have one of IBM's names, and
  /// Teracloud calls them com.teracloud.streams.NAME.
  std::string canonical(llvm::StringRef ns) const;
  /// Whether a namespace is declared by the standard toolkit, or by one that comes with it: a
  /// toolkit that is called like it is not looked for.
  bool isBuiltIn(llvm::StringRef ns) const;
  /// The files of a namespace; looks into its directories the first time.
  Files &files(llvm::StringRef ns);
  /// Parsed units of `ns` that define `name`.
  std::vector<const ast::Unit *> units(llvm::StringRef ns, Kind, llvm::StringRef name);
  /// The file is parsed once. Errors are kept: who asks may find the name elsewhere. Finds no
  /// files, so that a loop over files() may call it.
  ast::Unit *parsed(SourceFile &);
  /// Where no file of `ns` defines `name`, or it has no files if that is empty: takes those in its
  /// folders that say that they are of another one, and reports the first that defines it.
  void takeMisfiled(llvm::StringRef ns, llvm::StringRef name);
  bool namespaceExists(llvm::StringRef ns) { return !files(ns).empty(); }
  /// Finds the files of all namespaces of the toolkits and the application, for a hint.
  void searchAll();
  void reportProblems(SourceFile &, Range use, llvm::StringRef name);
  /// `ns`; or if it is empty, the namespace of `from` and those that it uses.
  std::vector<std::string> visible(const ast::Unit *from, llvm::StringRef ns);
  /// The namespaces that `from` sees without a qualifier, but for its own.
  std::vector<std::string> wildcards(const ast::Unit *from) const;
  /// The names of one kind that a file defines.
  static const llvm::StringSet<> &namesOf(const FileSummary &, Kind);
  /// Whether the file may define `name`, as far as its words tell.
  bool hasWord(SourceFile &, llvm::StringRef name);
  /// Whether a file of the same namespace, which may belong to another program: it is not read for
  /// a mere word.
  static bool isNeighbour(const SourceFile &, const ast::Unit *from, llvm::StringRef ns);

  ASTContext &ast;
  Diagnostics &diags;
  RoleNames roles;            // of the standard toolkit
  std::vector<Toolkit> roots; // application first, then toolkits
  std::string appDir;
  std::vector<std::unique_ptr<SourceFile>> all;
  std::map<std::string, Files> byNamespace;
  std::map<std::string, Files> misfiled; // by the namespace of the folder; they say another one
  llvm::StringSet<> searched;
  bool hasSearchedAll = false;
  llvm::StringSet<> usedToolkits; // their directories
  std::deque<UnmetNeed> unmetNeeds;
  std::vector<const ast::Unit *> pendingUses; // for checkUses

private:
  /// `rest`: a suffix of `ns` that is still to be matched below `dir`.
  void addDirectory(llvm::StringRef dir, llvm::StringRef rest, llvm::StringRef ns, const Toolkit &);
  /// Null: it cannot be read, or was added before.
  SourceFile *addFile(llvm::StringRef path, bool toolkitFile, bool isOwn);
  /// Adds the function models of the namespace in `dir`.
  void addNative(llvm::StringRef dir, llvm::StringRef ns, const Toolkit &);
  /// Adds the operator models of the namespace, which is in `dir`.
  void addCppOperators(llvm::StringRef dir, llvm::StringRef ns, const Toolkit &);
  /// Opens the model of a toolkit: a file of `ns` whose text is to be made. Null: it cannot.
  SourceFile *addModel(llvm::StringRef path, llvm::StringRef ns);
  bool isSavedProgram(const SourceFile &) const;
  void searchBelow(llvm::StringRef dir, const std::string &prefix, unsigned depth);
  void findApplicationDir(ast::Unit *main);
  void findToolkits(llvm::ArrayRef<std::string> paths);
};

} // namespace sluice::sema
