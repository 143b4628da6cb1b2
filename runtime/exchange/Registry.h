//===- Registry.h - where the jobs of a user meet ----------------*- C++ -*-===//
//
// A directory that only the user may enter: $XDG_RUNTIME_DIR/sluice, or /tmp/sluice-UID. Each
// process that exports or imports has a Unix-domain socket there, NUMBER.sock.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/remote/peer/Socket.h"
#include <compare>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::exchange {

/// What is wrong; empty: nothing.
using Problem = std::string;

/// An entry, the socket of a process say. No two of them are the same, even if they have had the
/// same name.
struct Place {
  std::string name;
  uint64_t number = 0;
  auto operator<=>(const Place &) const = default;
};

/// A socket that was found.
struct Found {
  Place place;
  uint64_t version = 0; // changes when its process offers something else
};

class Registry {
public:
  /// Finds the directory, and makes it if there is none.
  Problem open();
  const std::string &directory() const { return path; }

  /// Listens at a socket of this process. It appears once it listens.
  Problem listen(remote::Socket &);
  /// Removes that socket. Other processes find it no more.
  void leave();
  /// Says that what this process offers has changed: others see another version of its socket.
  void change();
  /// The entries whose names begin and end so, in their order.
  std::vector<Place> entries(std::string_view beginning, std::string_view ending) const;
  /// Those of a job: JOB.WHAT and the ending.
  std::vector<Place> entriesOf(int job, std::string_view ending) const {
    return entries(std::to_string(job) + ".", ending);
  }
  /// The sockets of all processes, by name.
  std::vector<Found> list() const;
  /// Connects to one of them without waiting. A socket of a process that has died is removed.
  /// False: nobody is there, or another user.
  bool connect(const Place &, remote::Socket &) const;
  /// Removes the entries JOB.PROCESS.job of a job that has ended: a process that was killed has
  /// left its own.
  void forget(int job) const;
  /// Makes this process the only one of those that ask for that file, until the descriptor is
  /// closed. They hold it for some calls of the operating system; it waits five seconds at most.
  Problem hold(std::string_view file, remote::Socket &) const;
  /// Can be read when a socket has appeared or changed; -1: the system cannot tell.
  int watch(remote::Socket &) const;

private:
  std::string path, own;
  int64_t changes = 0;
};

/// Whether the process at the other end is one of this user.
bool isOwn(const remote::Socket &);
/// The id of that process; 0: not known.
int64_t processOf(const remote::Socket &);
/// Reads away what watch() has to tell. Whether there was anything.
bool drain(const remote::Socket &);

} // namespace sluice::exchange
