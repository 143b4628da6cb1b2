//===- JobEntry.h - a process in the registry of jobs -----------*- C++ -*-===//
#pragma once
#include <string>

namespace sluice {
struct Program;
} // namespace sluice

namespace sluice::watch {

/// A file JOB.PROCESS.job in the registry, which `sluice jobs` lists: a JSON object. It is locked
/// while the process lives. Without a registry there is none.
class JobEntry {
public:
  explicit JobEntry(const Program &);
  ~JobEntry();
  JobEntry(const JobEntry &) = delete;

private:
  std::string path; // empty: there is none
  int lock = -1;
};

} // namespace sluice::watch
