//===- Paper.h - --elastic=paper and --elastic=threads ----------*- C++ -*-===//
//
// `paper` follows the algorithm of 'Automating Multi-level Performance Elastic
// Components for IBM Streams' (Middleware 2019). `threads` is what that paper compares
// itself with: every changeable boundary is queued, and only the number of workers is
// searched. README.md says what is from the paper, from the published code, and ours.
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
