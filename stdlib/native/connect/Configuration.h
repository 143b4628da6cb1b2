//===- Configuration.h - properties that an operator is told ----*- C++ -*-===//
#pragma once
#include "stdlib/native/Params.h"
#include "stdlib/native/jobs/AppConfig.h"

namespace sluice {

/// The application configuration that the parameter appConfigName names; nothing without the
/// parameter. Handler return values.
int32_t readConfiguration(ParamOp &, Properties &to);
/// The file of Java properties that a parameter names; nothing without the parameter. Relative
/// names start at the application directory. Handler return values.
int32_t readPropertiesFile(ParamOp &, const char *parameter, Properties &to);

/// A file of Java properties; a relative name begins in the application directory of the operator.
/// What is wrong with it; empty: nothing.
std::string readProperties(const ParamOp &, std::string path, Properties &to);

} // namespace sluice
