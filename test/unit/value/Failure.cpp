//===- Failure.cpp - the reporting of failures, if nobody else brings it -*- C++ -*-===//
#include "sluice/abi.h"

extern "C" __attribute__((weak)) int32_t sluice::sl_error(Ctx *, const char *, ...) { return 1; }
