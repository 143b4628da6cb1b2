//===- native.h - operators written in C++ ----------------------*- C++ -*-===//
//
// A native operator is a class derived from NativeOp and registered by name.
// It sees tuples as structs laid out as TypeDesc says, or whole batches. It never
// throws across these calls.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "sluice/abi.h"
#include "sluice/saved.h"
#include <string>
#include <string_view>
#include <vector>

namespace sluice {

/// The call of this function fails as with sl_error, and that ends the process: nothing catches it,
/// nothing is drained or written but for what was printed. Returns 1.
extern "C" int32_t sl_end_at_once(Ctx *, const char *message);

/// Share: Write, and other programs may write it at the same time.
enum class FileUse { Read, Write, Share };
/// To be called before an operator reads or changes a file, and by sources from open() on, which
/// comes before that of other operators: fails with sl_error if the program writes what it reads,
/// or if another program writes what is to be written. Only regular files count.
extern "C" int32_t sl_use_file(Ctx *, const char *path, FileUse);
/// The file that was used so is closed, and may be used otherwise: one that was written when each
/// who writes it has said so, one that was read when the first has. The path still leads to it.
extern "C" void sl_end_use(Ctx *, const char *path);

/// For an operator with `@catch` that goes on with the same tuple: what sl_error has said is
/// caught. 0, or below 0 where the program ends.
extern "C" int32_t sl_catch(Ctx *, const OperatorDesc *);

/// By a source, outside of all that it submits: save() would say all that it needs to go on from
/// here. While a checkpoint is made it stays here. A wait (sl_wait and others) of a source outside
/// of submissions is such a point, too. 0; or below 0: it is to return this at once, as the program
/// ends with the checkpoint.
extern "C" int32_t sl_save_point(Ctx *);

/// By a source that triggers checkpoints (RecoveryRole::Triggers), where it comes to a save point
/// next: one is made while it stays there. Nothing where no checkpoints are made.
extern "C" void sl_ask_checkpoint(Ctx *);

/// Whether checkpoints are made: whether save() may be called.
extern "C" int32_t sl_makes_checkpoints(Ctx *);

struct ParamValue {
  const TypeDesc *type;
  const void *value; // owned by the runtime, lives as long as the operator
};
struct Param {
  std::string name;
  std::vector<ParamValue> values;
};

struct NativeOp {
  Ctx *ctx = nullptr;
  const OperatorDesc *desc = nullptr;
  std::vector<Param> params;

  virtual ~NativeOp() = default;
  /// After all parameters are known, before any tuple. 0, or 1 after sl_error.
  virtual int32_t open() { return 0; }
  /// Whether it is opened before the state of operators begins, whose first values may ask for it.
  virtual bool opensFirst() const { return false; }
  /// Sources: whether it ends when all others have ended, although its declaration does not say so.
  /// After open().
  virtual bool isDaemon() const { return false; }
  /// Sources: whether it goes on where all was done when its process is started again (resume.h).
  /// After open().
  virtual bool resumes() const { return false; }
  /// Sources: whether process() hands on what it has taken over and then returns, once
  /// sl_is_shutdown() says so. Others may be cut off at what they submit (cutOff). After open().
  virtual bool finishes() const { return false; }
  /// Sources: produce until done or sl_is_shutdown. Handler return values.
  virtual int32_t process() { return 0; }
  virtual int32_t tuple(uint32_t port, const void *) {
    (void)port;
    return 0;
  }
  /// An operator that takes whole batches gets neither tuples nor punctuation but these: the batch
  /// is only read, and only until this returns. `puncts`: its punctuation; final punctuation only
  /// if it is the last one of the port.
  virtual int32_t batch(uint32_t port, const Batch &, const Punctuation *puncts, uint32_t count) {
    (void)port, (void)puncts, (void)count;
    return 0;
  }
  /// Punctuation arrives at a port; final punctuation once, after its last tuple.
  virtual int32_t punct(uint32_t port, PunctuationKind) {
    (void)port;
    return 0;
  }
  /// By another thread while the operator runs: gives what it has written so far to the operating
  /// system, so that it outlives this process. What went wrong, which ends the program; empty:
  /// nothing.
  virtual std::string persist() { return {}; }
  /// Whether checkpoints can hold it, by its parameters. Also before open(), without a context.
  virtual Saves saves() const { return Saves::No; }
  /// Sources: whether it calls sl_save_point again and again while it submits. Then it waits for
  /// others there only.
  virtual bool hasSavePoints() const { return false; }
  /// While no thread is in the operator and nothing is on its way to it. Of a source: at one of its
  /// save points. What it has written to files must be the operating system's by then.
  virtual void save(Saver &) {}
  /// By another thread while the operator runs, before the checkpoint is complete: what was written
  /// to files by save() outlives a loss of power. What went wrong; empty: nothing.
  virtual std::string sync() { return {}; }
  /// Before open(), with all parameters: what save() has said, in another process. 0, or 1 after
  /// sl_error. A source goes on from there in process().
  virtual int32_t restore(const Loader &) { return 0; }
  /// The checkpoint for which save() was called last is complete and never taken back. By another
  /// thread while the operator runs.
  virtual void committed() {}
  /// At the end of the program, also after a failure: flush and release.
  virtual int32_t close() { return 0; }

  int32_t submit(uint32_t port, const void *tuple) {
    countMade();
    ++submitting;
    int32_t result = desc->emit[port](ctx, tuple);
    --submitting;
    return cut(result);
  }
  int32_t submitPunct(uint32_t port, PunctuationKind k) {
    ++submitting;
    int32_t result = desc->emitPunct[port](ctx, uint32_t(k), 0);
    --submitting;
    return cut(result);
  }
  /// The batch that the port fills, for an operator that writes its columns itself (columns.h): it
  /// puts tuples behind the rows that are there, what they point to into the arena
  /// (sl_batch_keep), and calls submitRows(). The next submission may bring another batch. Null:
  /// the port has none.
  Batch *batchOf(uint32_t port) const { return ctx->ports[portId(port)].batch; }
  /// How many tuples fill the batch. relaxed: a timer may lower the limit, which guards nothing.
  static uint32_t roomIn(const Batch &b) {
    uint32_t limit = __atomic_load_n(&b.limit, __ATOMIC_RELAXED);
    return limit > b.rows ? limit - b.rows : 0;
  }
  /// Submits `count` tuples that are in the port's batch, which had room for them.
  int32_t submitRows(uint32_t port, uint32_t count) {
    countMade(count);
    uint32_t id = portId(port);
    Batch *b = ctx->ports[id].batch;
    __atomic_store_n(&b->rows, b->rows + count, __ATOMIC_RELAXED); // as roomIn()
    return cut(roomIn(*b) ? 0 : sl_forward(ctx, id));
  }
  const Param *param(std::string_view name) const;

  /// A tuple has arrived, or leaves. relaxed: other threads look whether it moves (made).
  void countMade(uint64_t count = 1) { __atomic_store_n(&made, made + count, __ATOMIC_RELAXED); }
  uint64_t made = 0;
  /// Submissions that it is in the middle of. By its own thread.
  uint32_t submitting = 0;
  /// -1: a source is to stop at what it submits. By its own thread.
  int32_t cutOff = 0;

private:
  /// As the ABI numbers it (Replica).
  uint32_t portId(uint32_t port) const { return desc->firstOut + port - ctx->replica->out; }
  /// What a submission returns, if an operator behind it that is called has not failed.
  int32_t cut(int32_t result) const { return result ? result : cutOff; }
};

using NativeFactory = NativeOp *(*)();
/// Registers at load time: `static RegisterNative r("spl.adapter::FileSource", make);`
struct RegisterNative {
  RegisterNative(const char *kind, NativeFactory);
};
NativeFactory findNative(std::string_view kind);

} // namespace sluice
