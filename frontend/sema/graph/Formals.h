//===- Formals.h - what the parameters of an instance stand for ----*- C++ -*-===//
#pragma once
#include "frontend/sema/graph/GraphSema.h"

namespace sluice::sema {

/// Binds the formals of one instance to the parameters of its invocation, or to their defaults.
class Formals {
public:
  Formals(GraphSema &graph, Instance &inst)
      : graph(graph), sema(graph.sema), diags(graph.diags), types(graph.types), inst(inst) {}

  /// False after an error.
  bool bindAll();

private:
  void matchFormals();
  void bindUnknown(const ast::Formal &);
  bool bindName(Binding &);
  bool bindValue(Binding &);
  bool bindAttribute(Binding &);
  bool bindAttributeOf(Binding &, llvm::ArrayRef<PortView>, llvm::StringRef label,
                       llvm::StringRef attribute, NearNames &);
  bool checkActual(Binding &);
  bool checkDefault(const Binding &);
  bool wrongMode(const Binding &, llvm::StringRef what, const NearNames * = nullptr);

  GraphSema &graph;
  Sema &sema;
  Diagnostics &diags;
  TypeContext &types;
  Instance &inst;
};

} // namespace sluice::sema
