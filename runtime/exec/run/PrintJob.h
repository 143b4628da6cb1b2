//===- PrintJob.h - the PEs of a program as JSON ----------------*- C++ -*-===//
#pragma once
#include "runtime/exec/options/RunOptions.h"

namespace sluice {

/// Prints what a cluster has to know of the job: PEs, operators, links (docs/job.schema.json). 0,
/// or the exit code.
int printJob(const ProgramDesc &, const std::vector<uint32_t> &widths, const RunOptions &);

} // namespace sluice
