//===- ModuleTable.h - files, namespaces and toolkits -----------*- C++ -*-===//
//
// What names mean outside of the text at hand, and what is said where they mean nothing.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "frontend/modules/SourceFiles.h"
#include "frontend/sema/Suspicions.h"

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
class ModuleTable : public Modules, SourceFiles {
public:
  ModuleTable(ASTContext &, TypeContext &, Diagnostics &, Suspicions &, const FrontendOptions &,
              ast::Unit *main);

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
  const Hints &hints() override;
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
  /// A namespace that is not there.
  struct MissingNamespace {
    std::string ns;
    Range use;        // where it is named first
    std::string name; // what is used of it there; empty: all
    bool isNeeded;    // something of it is used
    Range needed;     // what `use` does not name
  };

  /// What explains that there is no namespace `ns`; null if nothing does.
  UnmetNeed *unmetNeed(llvm::StringRef ns);
  void reportNeeds();
  /// Calls `found` with the namespaces of each lookup step until one returns true.
  bool lookup(const ast::Unit *from, llvm::StringRef ns, llvm::StringRef name,
              llvm::function_ref<bool(llvm::ArrayRef<std::string>)> found);
  Type enumType(const ast::TypeNode *, const ast::Unit *from, unsigned depth = 0);
  std::optional<EnumMember> memberOf(const ast::TypeNode *, const ast::Unit *,
                                     llvm::StringRef name);
  std::optional<EnumMember> memberOf(const TypeDef &, llvm::StringRef name);
  std::optional<EnumMember> qualifiedMember(const ast::Unit *from, llvm::StringRef qualifier,
                                            llvm::StringRef name);
  void addMembers(const std::string &ns, llvm::StringRef name, std::optional<EnumMember> &result);
  void checkUse(const ast::Unit *, const ast::UseDecl &);
  void checkPublic(const ast::Unit &, Range use, llvm::StringRef ns, llvm::StringRef name);
  std::vector<std::string> nearestUse(const ast::Unit *, llvm::StringRef ns, llvm::StringRef name);
  std::vector<std::string> inSimilarNamespaces(llvm::StringRef ns, llvm::StringRef name);
  std::vector<std::string> similarNamespaces(llvm::StringRef ns);
  /// Reports the errors of files that may define `name`, which nothing else does, and cannot be
  /// read. Whether there are any.
  bool reportUnreadable(Range use, const ast::Unit *from, llvm::StringRef ns, llvm::StringRef name);
  /// Whether `name` may come from a namespace, or is named by a directive, and that is not there.
  bool isMissing(Range use, const ast::Unit *from, llvm::StringRef ns, llvm::StringRef name);
  MissingNamespace &missing(llvm::StringRef ns, Range use);
  void reportMissing(const MissingNamespace &);
  void noteInstead(mlir::InFlightDiagnostic &, const MissingNamespace &);

  TypeContext &types;
  Suspicions &suspicions;
  const bool allowMissing; // toolkits
  std::deque<MissingNamespace> missingNamespaces;
  llvm::StringSet<> hiding;       // names that warnHiding() has reported
  std::optional<Hints> readHints; // once a name is unknown
};

} // namespace sluice::sema
