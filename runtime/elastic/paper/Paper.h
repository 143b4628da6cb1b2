//===- Paper.h - --elastic=paper and --elastic=threads ----------*- C++ -*-===//
//
// The algorithm of 'Automating Multi-level Performance Elastic Components for IBM
// Streams' (Middleware 2019), and what that paper compares itself with: every queue
// that may be, and a search for the number of threads only. README.md says what is
// the paper's, what is the published code's and what is ours.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/elastic/Registry.h"

namespace sluice::elastic {

std::vector<Constant> paperConstants();
std::unique_ptr<Policy> makePaper(const Values &, const Graph &, const Machine &,
                                  const Configuration &start);

std::vector<Constant> threadsConstants();
std::unique_ptr<Policy> makeThreads(const Values &, const Graph &, const Machine &,
                                    const Configuration &start);

} // namespace sluice::elastic
