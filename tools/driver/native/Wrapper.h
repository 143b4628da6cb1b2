//===- Wrapper.h - C++ between generated code and native functions -*- C++ -*-===//
#pragma once
#include "frontend/diagnostics/Diagnostics.h"
#include "frontend/sema/typed/Program.h"

namespace sluice::driver {

/// The C++ with a function of the ABI (abi.h) for each call, which are all of one set: it makes
/// objects of C++ (SPL/Types.h) of the arguments, and a value of the result.
std::string nativeWrapper(llvm::ArrayRef<typed::NativeCall> calls, const Diagnostics &);

} // namespace sluice::driver
