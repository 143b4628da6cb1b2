//===- Feed.h - the processes of a job, as they speak -----------*- C++ -*-===//
#pragma once
#include "runtime/exchange/Registry.h"
#include "runtime/remote/peer/Socket.h"
#include "tools/console/Hub.h"
#include <list>
#include <mutex>
#include <string>

namespace sluice::console {

/// A socket in the registry, to which the processes of a job connect when they are asked to look.
class Feed {
public:
  explicit Feed(Hub &hub) : hub(hub) {}
  ~Feed();
  /// Listens for those of job number `job`. Empty, or what is wrong.
  std::string listen(int job);
  /// Asks all processes of the job to connect that have not. Returns how many there are.
  size_t ask();
  /// Takes what they say, for `nanos` ns at most.
  void take(int64_t nanos);
  /// Sends a word to all of them. Any thread.
  void tell(const std::string &word);

private:
  struct Process {
    remote::Socket socket;
    std::string received;
    int32_t pe = -1;
    bool isKnown = false; // its header has come
  };
  bool receive(Process &);
  bool takeLine(Process &);

  Hub &hub;
  exchange::Registry registry;
  int job = 0;
  std::string path;
  remote::Socket listener;
  std::mutex lock; // guards `processes` against tell(); only take() changes them
  std::list<Process> processes;
};

} // namespace sluice::console
