//===- MainSelection.h - which composite is the program ----------*- C++ -*-===//
#pragma once
#include "frontend/modules/ModuleTable.h"

namespace sluice::sema {

/// Chooses the main composite. The candidates have no ports, and defaults for all parameters.
class MainSelection {
public:
  MainSelection(Diagnostics &diags, ModuleTable &modules, const ast::Unit *unit)
      : diags(diags), modules(modules), unit(unit) {}

  /// The composite of that name, `[ns::]Name`. Without a name: the only candidate of the file,
  /// the only one with a graph, or `Main`. Nothing after an error.
  std::optional<OperatorDef> select(llvm::StringRef wanted);
  /// Whether the file has one main composite, and it need not be named.
  bool isClear() const;

private:
  std::optional<OperatorDef> named(llvm::StringRef wanted);
  std::vector<OperatorDef> find(llvm::StringRef ns, llvm::StringRef name);
  std::vector<const ast::Composite *> candidates() const;
  std::optional<OperatorDef> only();
  std::optional<OperatorDef> usable(const OperatorDef &def);
  void reportNone(llvm::StringRef wanted, llvm::StringRef name);
  void noteCandidates(mlir::InFlightDiagnostic &error);

  Diagnostics &diags;
  ModuleTable &modules;
  const ast::Unit *unit;
};

} // namespace sluice::sema
