//===- Cluster.h - programs on a cluster of Apache Flink --------*- C++ -*-===//
#pragma once
#include "tools/driver/OptionTable.h"

namespace sluice::driver {

/// `sluice build --target=flink`: a folder, or a jar, with the program for one or all
/// processors.
int buildForCluster(const DriverOptions &);
bool isForCluster(llvm::StringRef target);

int clusterUpCommand(const DriverOptions &);
int clusterDownCommand(const DriverOptions &);
int submitCommand(const DriverOptions &);
/// With --at.
int clusterJobsCommand(const DriverOptions &);
int clusterStopCommand(const DriverOptions &);
/// Whether `stop` is called for a job of a cluster.
bool isOfCluster(const ClusterOptions &);

/// The options of these commands.
std::vector<OptionInfo> clusterOptions();

} // namespace sluice::driver
