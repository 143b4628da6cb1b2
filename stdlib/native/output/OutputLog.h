//===- OutputLog.h - what a sink writes exactly once ------------*- C++ -*-===//
//
// A sink into a system with transactions writes nothing while tuples come: it keeps them as rows,
// which are part of the checkpoint. When that is complete, a thread writes them in one transaction
// together with their number. The number that the system has says on resuming whether that was
// done.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/base/os.h"
#include "sluice/native.h"
#include "stdlib/native/connect/Retry.h"
#include <atomic>
#include <deque>
#include <memory>
#include <optional>

namespace sluice {

/// Rows of bytes in their order.
class OutputRows {
public:
  OutputRows() = default;
  /// Of a checkpoint: what bytes() has given.
  OutputRows(uint64_t count, std::string_view bytes) : rows(count), packed(bytes) {}
  void add(std::string_view row);
  uint64_t count() const { return rows; }
  const std::string &bytes() const { return packed; }
  /// Takes the next row from what is left of bytes(). False: there is none.
  static bool take(std::string_view &left, std::string_view &row);

private:
  uint64_t rows = 0;
  std::string packed; // each row behind its length, of four bytes
};

/// How a call of a system outside has ended.
struct OutputResult {
  enum Kind {
    Done,
    Again, // it may be there later
    Never  // it will fail the same way again
  };
  Kind kind = Done;
  std::string why; // a clause for people, if not Done
};

/// A system outside that has transactions. By the thread of the log.
class OutputTarget {
public:
  virtual ~OutputTarget() = default;
  /// Connects, so that nothing is committed any more that was begun before: by an earlier process,
  /// or by this one. Finds the number that was committed last; nothing: there is none. Called
  /// first, and after each failure. It returns soon once `stop` is raised.
  virtual OutputResult begin(std::optional<uint64_t> &last, const os::Event &stop) = 0;
  /// Writes rows, which may be none, and the number in one transaction. The same of `stop`.
  virtual OutputResult commit(uint64_t number, const OutputRows &rows, const os::Event &stop) = 0;
};

/// The rows of a sink that are not in the system outside. The functions with the names of
/// NativeOp's are to be called by those.
class OutputLog {
public:
  explicit OutputLog(OutputTarget &target) : target(target) {}
  ~OutputLog() { end(); }

  /// Why the operator cannot have a log in this run: it is to be an error. Empty: it can.
  static std::string refusal(Ctx *, const OperatorDesc &);
  int32_t restore(const Loader &);
  /// Starts the thread, which writes what was restored. `connects`: it connects at once, not only
  /// when there is a row.
  void open(Ctx *, const OperatorDesc *, bool connects = false);
  /// Adds a row. While there is no room, or it is not yet known what the system has, it waits.
  /// Handler return values.
  int32_t add(Ctx *, std::string_view row);
  void save(Saver &);
  void committed();
  /// Why the system is not there, by the target: a warning, but once a minute at most. It tries
  /// again.
  void warn(const std::string &why);
  /// Waits up to 30 s until all rows of complete checkpoints are written, or 5 s where the system
  /// is not there, and ends the thread. Handler return values.
  int32_t close(Ctx *);

private:
  struct Part { // what came between two checkpoints
    uint64_t number;
    OutputRows rows;
  };

  int32_t keep(Ctx *, std::string_view row);
  void end();
  void run();
  bool awaitWork();
  OutputResult connect();
  OutputResult compare(std::optional<uint64_t> last, std::optional<uint64_t> &first);
  OutputResult write();
  void dropUpTo(uint64_t number);
  int32_t keptNowhere(Ctx *);
  uint64_t isDue() const;
  bool hasRoom() const;
  void fail(const std::string &why);

  OutputTarget &target;
  Ctx *home = nullptr; // for any thread
  const OperatorDesc *desc = nullptr;
  bool isOpen = false;
  uint64_t steps = 0; // that add() has waited since the program is to end
  os::Thread thread;
  os::Event stop, changed; // the thread is to end; it has something to do
  os::Event closing;       // somebody waits for its last attempts
  bool connected = false;  // by the thread
  // Something was wrong since the last attempt that has succeeded. relaxed: nothing else depends on
  // it.
  std::atomic<bool> isAway{false};
  Warnings warnings;

  mutable os::Lock lock;                         // guards what is below
  OutputRows current;                            // since the last save()
  std::deque<std::shared_ptr<const Part>> parts; // saved and not yet written
  uint64_t bytes = 0;                            // of all these
  uint64_t asked = 0;    // bytes of `current` for which a checkpoint was asked
  uint64_t number = 0;   // of the last part
  uint64_t durable = 0;  // what is in a complete checkpoint
  bool isWanted = false; // there is a first row: the system is to be there
  bool isKnown = false;  // what it has; since then this process alone writes
  std::string failure;
};

} // namespace sluice
