// For what reads and makes modules: the dialects, and MLIR's headers.
#pragma once
#include "cmake/pch/mlir.h"
#include "ir/Kinds.h"
#include "ir/Stream.h"
