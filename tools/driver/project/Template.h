//===- Template.h - the project of `sluice new` ---------------------*- C++ -*-===//
#pragma once
#include "llvm/ADT/ArrayRef.h"

namespace sluice::driver {

/// `%NAME%` in both stands for the name of the project.
struct TemplateFile {
  const char *path, *text;
};
/// The files of template/, which CMake makes part of the driver.
llvm::ArrayRef<TemplateFile> templateFiles();

} // namespace sluice::driver
