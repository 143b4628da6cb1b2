//===- Checkpoint.h - `sluice checkpoint` ---------------------------*- C++ -*-===//
#pragma once
#include "tools/driver/DriverOptions.h"

namespace sluice::driver {

int checkpointListCommand(const DriverOptions &);
int checkpointShowCommand(const DriverOptions &);
int checkpointVerifyCommand(const DriverOptions &);
int checkpointNowCommand(const DriverOptions &);
int checkpointRemoveCommand(const DriverOptions &);

} // namespace sluice::driver
