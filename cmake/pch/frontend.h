// For the frontend: the AST, the typed tree and the checks, and MLIR's headers.
#pragma once
#include "cmake/pch/mlir.h"
#include "frontend/sema/expr/Checker.h"
#include "frontend/sema/graph/GraphSema.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
