//===- Frontend.h - from text to the graph phase ----------------*- C++ -*-===//
//
// The steps of the frontend. Errors go to the Diagnostics. A step that returns null has
// reported at least one.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "frontend/diagnostics/Diagnostics.h"
#include "frontend/sema/typed/Program.h"
#include "frontend/syntax/AST.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <functional>

namespace sluice {

struct FrontendOptions {
  std::string main;                  // [ns::]Composite; empty: the only one
  std::string appDir;                // empty: top of the file's namespace
  std::vector<std::string> toolkits; // -t, searched in order
  std::string stdlibDir;             // where the declarations of the toolkit lie
  std::vector<std::pair<std::string, std::string>> compileTimeValues;
  bool anyFile = false;      // check: the file need not have a main composite
  bool allowMissing = false; // names of toolkits that are not there are no errors
};

/// What the toolkit calls that which plays a role in advice about syntax (modules/Hints.h). Without
/// any, the advice has the role itself.
using RoleNames = std::function<std::string(llvm::StringRef role)>;
/// Of the toolkit whose declarations lie in `dir`. They are read when the first role is asked for.
RoleNames roleNames(std::string dir);

/// Parses one file of the Diagnostics. One run may report several errors.
/// toolkitFile: prototypes without a body and operator models are accepted.
ast::Unit *parse(ASTContext &, Diagnostics &, uint32_t file, bool toolkitFile = false,
                 const RoleNames &roles = nullptr);
/// The same, without reporting the errors.
ast::Unit *parse(ASTContext &, const Diagnostics &, uint32_t file, bool toolkitFile, Problems &,
                 const RoleNames &roles = nullptr);

/// Resolves and types the program of `unit` (with the other files of the
/// application directory, the toolkits and the standard toolkit). With `anyFile` all of the file
/// is checked, and what is returned is no program to be compiled.
std::unique_ptr<typed::Program> analyze(ASTContext &, TypeContext &, Diagnostics &, ast::Unit *unit,
                                        const FrontendOptions &);

/// Typed tree to phase "graph".
mlir::OwningOpRef<mlir::ModuleOp> emit(mlir::MLIRContext *, const Diagnostics &,
                                       const typed::Program &);

} // namespace sluice
