//===- Listing.h - a module as text for people ----------------------*- C++ -*-===//
#pragma once
#include "frontend/diagnostics/Diagnostics.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace sluice::driver {

struct ListingOptions {
  std::vector<std::string>
      only;            // operators or composites, as findOperations() has them; empty: all
  bool source = false; // with lines of the program as comments
  /// Values have names that do not depend on what stands before them: of streams those of the
  /// program, of others what makes them. Changes the module's locations.
  bool stableNames = false;
};

/// What belongs to operators or composites, by instance path or its end; in phases lowered and
/// llvm their functions. In the order of the module, each once. An error if there is nothing of one
/// of the names.
llvm::Expected<llvm::SmallVector<mlir::Operation *>>
findOperations(mlir::ModuleOp, llvm::ArrayRef<std::string> only);

/// In any phase. An error if there is nothing of the name. Of phases lowered and llvm,
/// ListingOptions::only leaves the functions of the operators.
llvm::Expected<std::string> listModule(mlir::ModuleOp, const Diagnostics &, const ListingOptions &);

} // namespace sluice::driver
