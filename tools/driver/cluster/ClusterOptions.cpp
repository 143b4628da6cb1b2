//===- ClusterOptions.cpp - the options of commands for clusters ----------===//
#include "tools/driver/cluster/Cluster.h"

using namespace sluice::driver;
using llvm::StringRef;

/// Keeps the value of an option that has one.
template <std::string ClusterOptions::*member> static bool keep(DriverOptions &o, StringRef value) {
  o.cluster.*member = value.str();
  return !value.empty();
}

template <unsigned ClusterOptions::*member> static bool number(DriverOptions &o, StringRef value) {
  return !value.getAsInteger(10, o.cluster.*member) && o.cluster.*member > 0 &&
         o.cluster.*member < 65536;
}

std::vector<OptionInfo> sluice::driver::clusterOptions() {
  return {
      {"--to", "HOST[:PORT][,...]", bit(Command::Submit),
       "the REST interface of the cluster (PORT: 8081 if it is left out), or of each master",
       keep<&ClusterOptions::address>},
      {"--at", "HOST[:PORT][,...]", bit(Command::Jobs) | bit(Command::Stop),
       "of a cluster: its REST interface (PORT: 8081 if it is left out), or that of each master",
       keep<&ClusterOptions::address>},
      {"--from", "SAVEPOINT", bit(Command::Submit),
       "go on from what `sluice stop --savepoint` has written", keep<&ClusterOptions::from>},
      {"--wait", nullptr, bit(Command::Submit), "wait until the job has ended",
       [](DriverOptions &o, StringRef) { return o.cluster.waits = true; }},
      {"--savepoint", "DIR", bit(Command::Stop),
       "of a job of a cluster: save what it remembers, in a new folder there, print its name and "
       "end; the job goes on if that fails",
       keep<&ClusterOptions::savepoint>},
      {"--now", nullptr, bit(Command::Stop),
       "of a job of a cluster: at once; what it works on is lost",
       [](DriverOptions &o, StringRef) { return o.cluster.endsAtOnce = true; }},
      {"--dir", "DIR", bit(Command::ClusterUp) | bit(Command::ClusterDown),
       "where the cluster has its configuration, logs and checkpoints",
       keep<&ClusterOptions::folder>},
      {"--slots", "N", bit(Command::ClusterUp), "how many PEs each of them may run (default: 4)",
       number<&ClusterOptions::slots>},
      {"--standby", nullptr, bit(Command::ClusterUp),
       "a second master, which takes over when the first one dies; they agree by ZooKeeper",
       [](DriverOptions &o, StringRef) { return o.cluster.hasStandby = true; }},
      {"--address", "ADDRESS", bit(Command::ClusterUp),
       "where it listens (default: 127.0.0.1); whoever reaches it can run programs as you",
       keep<&ClusterOptions::listens>},
      {"--port", "N", bit(Command::ClusterUp),
       "of the REST interface; 0: one that is free (default: 8081)",
       [](DriverOptions &o, StringRef v) {
         return !v.getAsInteger(10, o.cluster.port) && o.cluster.port < 65536;
       }},
  };
}
