//===- JobFile.h - job.toml: where the PEs of a job are ---------*- C++ -*-===//
//
//   id = "7d43b07c2d1e9f00"
//   token-file = "job.token"       # relative to this file, as are paths of sockets
//   pes = ["a:7400", "b:7401", "unix:pe2.sock"]
//
// The file of the token holds 64 hexadecimal digits, and only the user may read it.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/exec/job/Job.h"

namespace sluice {

/// Reads one. Empty, or what is wrong, at FILE:LINE:COLUMN.
std::string readJobFile(const std::string &file, Job &);

/// Writes one for `pes` PEs on `hosts` (HOST,... or HOST:PORT,... where PORT is that of PE 0), to
/// `file` (empty: the standard output), and beside it a file with a token, unless there is one.
/// Empty, or what is wrong.
std::string writeJobFile(const std::string &file, const std::string &hosts, uint32_t pes,
                         const std::string &program);

} // namespace sluice
