//===- Cause.h - what limits a program --------------------------*- C++ -*-===//
//
// Pure functions of the graph and the figures of one interval (README.md).
//
//===----------------------------------------------------------------------===//
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace sluice::watch {

enum class CauseKind : uint8_t {
  None, // nothing can be said
  Stuck,
  Processors,
  Device,
  Peer,
  Channel,
  Operator,
  Input
};
const char *toString(CauseKind);

/// An operator in an interval.
struct OpLoad {
  std::string name;
  std::string group;        // the name of its region's channels; empty: it is in none
  bool isSource = false;    // that brings data; not a ticker
  double cpu = 0;           // seconds of its own
  double slept = 0;         // as part of its work
  double paced = 0;         // that it waited for a moment to come, as its rate asks
  double forCredits = 0;    // that it waited for another PE
  uint32_t peer = 0;        // that PE
  std::vector<uint32_t> to; // positions in CauseInput::ports that its outputs lead to
};

/// An input port.
struct PortLoad {
  uint32_t op = 0;      // whose it is
  bool isQueue = false; // else its operator is called
  double blocked = 0;   // seconds that producers waited for space
  double fullness = 0;  // of its ring: 0 to 1
};

/// A thread at the end of the interval.
struct ThreadNow {
  std::string name;
  int32_t source = -1;   // the operator whose thread it is; -1: a worker
  int32_t op = -1;       // where it is; -1: nowhere
  bool forSpace = false; // it waits for space before that operator
  bool inWork = false;   // it sleeps as part of the operator's work
  bool paces = false;    // it waits there for a moment to come
  double seconds = 0;    // since when
  double waited = 0;     // of a source: seconds of the interval that it waited, for whatever
  double blocked = 0;    // of those: for space
};

struct CauseInput {
  double length = 0;       // seconds
  double cpus = 0;         // processors
  double used = 0;         // seconds of processor time, of this program
  double others = 0;       // and of all other programs, as far as known
  double moved = 0;        // tuples that moved anywhere
  std::vector<OpLoad> ops; // by id; those of other PEs are empty
  std::vector<PortLoad> ports;
  std::vector<ThreadNow> threads;
};

struct Cause {
  CauseKind kind = CauseKind::None;
  int32_t op = -1;  // the operator that is to blame; -1: none
  std::string text; // a sentence without a full stop; empty: nothing can be said
};

Cause causeOf(const CauseInput &);

/// Shows what three of the last four intervals say.
class CauseWatch {
public:
  const Cause &add(Cause);

private:
  std::array<Cause, 4> last = {};
  uint32_t next = 0;
  Cause shown;
};

} // namespace sluice::watch
