//===- KeptFiles.h - descriptors that outlive a process ---------*- C++ -*-===//
//
// A launcher that starts processes again holds descriptors for them, as sockets of which the next
// process goes on reading. A process says by a message which ones; the next one gets all that are
// held as it is forked.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/remote/peer/Socket.h"
#include <map>
#include <span>
#include <string>
#include <vector>

namespace sluice {

class KeptFiles {
public:
  //===--- by the launcher ------------------------------------------------------===//

  /// 0, or a negative errno.
  int open();
  /// To be read when processes have said something.
  const remote::Socket &messages() const { return receiving; }
  /// Takes what processes have said, also those that have ended since. Does not wait.
  void take();

  //===--- by a process that it has forked --------------------------------------===//

  /// The launcher holds these, too, by that name, from when this returns. 0, or a negative errno;
  /// -EAGAIN: it has not listened for seconds.
  int keep(const std::string &name, std::span<const int> files) const;
  /// It lets them go. 0, or a negative errno.
  int drop(const std::string &name) const { return keep(name, {}); }
  /// What an earlier process has kept by that name, in its order; empty: nothing. Once.
  std::vector<remote::Socket> find(const std::string &name);
  /// When operators are open: closes what none of them has found, as another process has it, and
  /// what is the launcher's.
  void closeOthers() {
    files.clear();
    receiving.close();
  }

private:
  remote::Socket sending, receiving;
  std::map<std::string, std::vector<remote::Socket>> files;
};

} // namespace sluice
