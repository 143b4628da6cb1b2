//===- Spool.h - a source whose rows are logged -------------------*- C++ -*-===//
//
// A source that cannot bring again what it has brought (a socket, a pipe) may write it to a log in
// the directory of checkpoints: each batch of its output ports, with its punctuation, before it
// goes on. When the program is resumed, what is in the log behind the checkpoint is submitted again
// in the same order, and then the source begins. The log has the end of the source, too: one that
// had ended does not begin again.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/exec/files/Log.h"
#include "runtime/exec/files/LogReader.h"
#include "runtime/remote/frame/Frame.h"
#include "sluice/native.h"
#include <deque>
#include <functional>
#include <optional>
#include <string>

namespace sluice {

struct Program;
struct Source;

/// By the thread of the source, but for what is said to be by who makes checkpoints. Functions that
/// return a text say what went wrong; empty: nothing.
class Spool {
public:
  /// Of a native source. `path`: what the names of the files of its log begin with.
  Spool(const Program &, uint32_t op, std::string path);

  const uint32_t op; // id of the operator

  /// Who is told what is logged.
  class Watcher {
  public:
    /// The next `rows` rows of output port `port` are about to be written as frame `frame`. It is
    /// in the log unless the process ends before this thread goes on.
    virtual void willLog(uint64_t frame, uint32_t port, uint32_t rows) = 0;

  protected:
    ~Watcher() = default;
  };
  /// Null: nobody. While the source does not submit.
  void setWatcher(Watcher *to) { watcher = to; }
  /// The number of the next frame that is written.
  uint64_t next() const { return file.end(); }

  /// Before threads run: the source goes on behind that frame; nothing: it begins anew. The others:
  /// as Log::open has them.
  std::string open(std::optional<uint64_t> from, bool lostPower, std::string &note);
  /// Submits what is in the log, then runs the source, if it had not ended. Handler return values.
  int32_t run(Source &, const std::function<int32_t()> &process);
  /// What an output port of the source is about to forward. Nothing of it is read again from the
  /// log in this run.
  std::string log(uint32_t port, const Batch &);

  //===--- by who makes checkpoints -------------------------------------------===//

  /// While the source stays: behind how many frames it is.
  uint64_t position() const { return at; }
  /// While the source stays: the checkpoint that is being made is there.
  void cut() { file.cut(at); }
  std::string sync() { return file.sync(); }
  /// As Log has it.
  bool isBroken() const { return file.isBroken(); }
  void committed(uint64_t keep) { file.committed(keep); }

private:
  /// An output port.
  struct Port {
    Port(const TypeDesc *tuple, uint32_t capacity, uint32_t number);
    const remote::Schema schema;
    remote::FrameWriter writer;
  };
  std::string write(uint32_t port, const Batch &, std::span<const Punctuation>);
  int32_t replay(Source &);
  int32_t submit(Source &, checkpoint::LogReader &);

  checkpoint::Log file;
  Watcher *watcher = nullptr;
  std::deque<Port> ports;
  std::vector<Punctuation> puncts; // of log()
  uint64_t at = 0;                 // the number of the next frame
  bool isReplaying = false;
  bool hasEnded = false; // the source had ended, by the log
};

/// Of an operator; null: it has none.
Spool *spoolOf(const Program &, uint32_t op);
/// As Above has it.
int32_t logForward(Source &, uint32_t port, Batch *);

} // namespace sluice
