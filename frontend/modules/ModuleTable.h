//===- ModuleTable.h - files, namespaces and toolkits -----------*- C++ -*-===//
//
// Files are found by namespace and parsed only when a name that they define is
// looked up: a scan of the text lists what a file defines at its top level, so that
// the standard toolkit costs next to nothing.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "frontend/Frontend.h"
#include "frontend/modules/CppOperator.h"
#include "frontend/modules/Modules.h"
#include "frontend/modules/Scan.h"
#include "frontend/modules/Toolkits.h"
#include <deque>
#include <map>

namespace sluice::sema {

/// The definition of a composite or a primitive operator, and where it is.
struct OperatorDef {
  const ast::Composite *composite = nullptr;
  const ast::OperatorModelDecl *model = nullptr;
  const ast::Unit *unit = nullptr;
  std::string ns;
  explicit operator bool() const { return composite || model; }
  llvm::StringRef name() const { return composite ? composite->name.text : model->name.text; }
  bool isPublic() const { return composite ? composite->isPublic : model->isPublic; }
  Range range() const { return composite ? composite->name.range : model->name.range; }
  std::string qualified() const { return ns.empty() ? name().str() : ns + "::" + name().str(); }
};

/// All files of the program: the application directory, the toolkits of the
/// command line, the standard toolkit.
class ModuleTable : public Modules {
public:
  ModuleTable(ASTContext &, TypeContext &, Diagnostics &, const FrontendOptions &, ast::Unit *main);

  std::optional<TypeDef> findType(const ast::Unit *from, llvm::StringRef ns,
                                  llvm::StringRef composite, llvm::StringRef name) override;
  std::vector<FunctionDef> findFunctions(const ast::Unit *from, llvm::StringRef ns,
                                         llvm::StringRef name) override;
  const NativeFunction *nativeFunction(const ast::Unit *unit,
                                       const ast::Function *prototype) override;
  std::vector<std::string> toolkitsWithMessages() const override;
  void offerStaticMembers(NearNames &, const ast::Unit *from, llvm::StringRef ns,
                          llvm::StringRef composite) override;
  std::optional<EnumMember> findEnumMember(const ast::Unit *from, llvm::StringRef qualifier,
                                           llvm::StringRef name) override;
  void offer(NearNames &, const ast::Unit *from, llvm::StringRef ns, Kind) override;
  void offerEnumMembers(NearNames &, const ast::Unit *from) override;
  bool isExplained(Range use, const ast::Unit *from, llvm::StringRef ns,
                   llvm::StringRef name) override;
  bool reportSeveral(Range use, const ast::Unit *from, const ast::Unit *chosen, llvm::StringRef ns,
                     llvm::StringRef name, llvm::ArrayRef<Range> definitions) override;
  void warnHiding(Range use, const ast::Unit *from, const ast::Unit *chosen, Kind,
                  llvm::StringRef name, Range definition) override;
  bool noteUnreadable(mlir::InFlightDiagnostic &, const ast::Unit *from, llvm::StringRef ns,
                      llvm::StringRef name, bool isDeclared = false) override;
  const ast::Function *hiddenFunction(const ast::Unit *from, llvm::StringRef ns,
                                      llvm::StringRef name) override;
  std::vector<std::string> withOutputFunction(llvm::StringRef name) override;
  std::vector<std::string> elsewhere(llvm::StringRef name) override;
  void noteElsewhere(mlir::InFlightDiagnostic &, Range use, const ast::Unit *from,
                     llvm::ArrayRef<std::string> others) override;

  /// The C++ of a primitive operator; null if it is not in a toolkit.
  const CppOperatorModel *cppOperator(const ast::Unit *) const;
  /// Operators and composites of the first lookup step that yields any. More than one is an
  /// ambiguity. The result includes those that are not visible.
  std::vector<OperatorDef> findOperators(const ast::Unit *from, llvm::StringRef ns,
                                         llvm::StringRef name);
  /// Notes the operators that an unknown one may be: those of that name elsewhere, or near ones.
  void noteOperators(mlir::InFlightDiagnostic &, Range, const ast::Unit *from, llvm::StringRef ns,
                     llvm::StringRef name);
  /// Reports `use` directives for what is not there, in the files parsed since the last call and
  /// in those that they name.
  void checkUses();
  /// Reports the namespaces that are not there: errors, if something may come from them.
  void reportMissing();
  /// The root of the application.
  const std::string &applicationDir() const { return appDir; }

private:
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
  /// A namespace that is not there.
  struct MissingNamespace {
    std::string ns;
    Range use;        // where it is named first
    std::string name; // what is used of it there; empty: all
    bool isNeeded;    // something of it is used
    Range needed;     // what `use` does not name
  };
  /// A toolkit that an info.xml asks for and that is not there.
  struct UnmetNeed {
    std::string info;
    const Toolkit::Need *need;
    const Toolkit *other;    // is there in another version, or null
    bool isReported = false; // by an error where a name needs it
  };
  using Files = std::vector<SourceFile *>;

  void findToolkits(llvm::ArrayRef<std::string> paths);
  /// Something of the toolkit is used: what its info.xml asks for has to be there.
  void use(const Toolkit &);
  /// What explains that there is no namespace `ns`; null if nothing does.
  UnmetNeed *unmetNeed(llvm::StringRef ns);
  void reportNeeds();
  /// Says where namespaces were looked for.
  void noteLookedIn(mlir::InFlightDiagnostic &, Range);
  void findApplicationDir(ast::Unit *main);
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
  bool namespaceExists(llvm::StringRef ns) { return !files(ns).empty(); }
  /// Where no file of `ns` defines `name`, or it has no files if that is empty: takes those in its
  /// folders that say that they are of another one, and reports the first that defines it.
  void takeMisfiled(llvm::StringRef ns, llvm::StringRef name);
  bool isSavedProgram(const SourceFile &) const;
  /// The files of a namespace; looks into its directories the first time.
  Files &files(llvm::StringRef ns);
  /// The namespaces that `from` sees without a qualifier, but for its own.
  static std::vector<std::string> wildcards(const ast::Unit *from);
  /// The names of one kind that a file defines.
  static const llvm::StringSet<> &namesOf(const FileSummary &, Kind);
  /// Parsed units of `ns` that define `name`.
  std::vector<const ast::Unit *> units(llvm::StringRef ns, Kind, llvm::StringRef name);
  /// The file is parsed once. Errors are kept: who asks may find the name elsewhere. Finds no
  /// files, so that a loop over files() may call it.
  ast::Unit *parsed(SourceFile &);
  void reportProblems(SourceFile &, Range use, llvm::StringRef name);
  /// Calls `found` with the namespaces of each lookup step until one returns true.
  bool lookup(const ast::Unit *from, llvm::StringRef ns, llvm::StringRef name,
              llvm::function_ref<bool(llvm::ArrayRef<std::string>)> found);
  Type enumType(const ast::TypeNode *, const ast::Unit *from, unsigned depth = 0);
  std::optional<EnumMember> memberOf(const ast::TypeNode *, const ast::Unit *,
                                     llvm::StringRef name);
  std::optional<EnumMember> memberOf(const TypeDef &, llvm::StringRef name);
  void checkUse(const ast::Unit *, const ast::UseDecl &);
  void noteMisplaced(mlir::InFlightDiagnostic &, Range use, llvm::StringRef ns,
                     llvm::StringRef name);
  void checkPublic(const ast::Unit &, Range use, llvm::StringRef ns, llvm::StringRef name);
  std::vector<std::string> nearestUse(const ast::Unit *, llvm::StringRef ns, llvm::StringRef name);
  std::vector<std::string> inSimilarNamespaces(llvm::StringRef ns, llvm::StringRef name);
  std::vector<std::string> similarNamespaces(llvm::StringRef ns);
  std::vector<std::string> toolkitsBeside(llvm::StringRef ns);
  /// Whether the file may define `name`, as far as its words tell.
  bool hasWord(SourceFile &, llvm::StringRef name);
  /// Whether a file of the same namespace, which may belong to another program: it is not read for
  /// a mere word.
  static bool isNeighbour(const SourceFile &, const ast::Unit *from, llvm::StringRef ns);
  /// Reports the errors of files that may define `name`, which nothing else does, and cannot be
  /// read. Whether there are any.
  bool reportUnreadable(Range use, const ast::Unit *from, llvm::StringRef ns, llvm::StringRef name);
  /// Whether `name` may come from a namespace, or is named by a directive, and that is not there.
  bool isMissing(Range use, const ast::Unit *from, llvm::StringRef ns, llvm::StringRef name);
  MissingNamespace &missing(llvm::StringRef ns, Range use);
  void reportMissing(const MissingNamespace &);
  void noteInstead(mlir::InFlightDiagnostic &, const MissingNamespace &);
  /// Finds the files of all namespaces of the toolkits and the application, for a hint.
  void searchAll();
  void searchBelow(llvm::StringRef dir, const std::string &prefix, unsigned depth);
  /// `ns`; or if it is empty, the namespace of `from` and those that it uses.
  std::vector<std::string> visible(const ast::Unit *from, llvm::StringRef ns);

  ASTContext &ast;
  TypeContext &types;
  Diagnostics &diags;
  const bool allowMissing;    // toolkits
  std::vector<Toolkit> roots; // application first, then toolkits
  std::string appDir;
  std::vector<std::unique_ptr<SourceFile>> all;
  std::map<std::string, Files> byNamespace;
  std::map<std::string, Files> misfiled; // by the namespace of the folder; they say another one
  llvm::StringSet<> searched;
  bool hasSearchedAll = false;
  std::deque<MissingNamespace> missingNamespaces;
  /// For each file and namespace that it does not use, the first name of that which it has.
  std::map<std::pair<const ast::Unit *, std::string>, Range> missingUses;
  llvm::StringSet<> usedToolkits; // their directories
  std::deque<UnmetNeed> unmetNeeds;
  llvm::StringSet<> several;                  // qualified names that reportSeveral() has reported
  llvm::StringSet<> hiding;                   // names that warnHiding() has reported
  std::vector<const ast::Unit *> pendingUses; // for checkUses
};

} // namespace sluice::sema
