//===- SinkFile.h - the file that a sink writes -----------------*- C++ -*-===//
#pragma once
#include "runtime/base/os.h"
#include "sluice/resume.h"
#include "stdlib/native/Params.h"
#include "stdlib/native/pack/Packing.h"
#include "stdlib/native/unicode/Converter.h"
#include "stdlib/operators/FileSink/FlushTimer.h"
#include "value/Text.h"
#include <memory>

namespace sluice {

/// The files that an operator writes, one after the other: at most one of them is open. Its last
/// bytes are in a buffer. What has been there for flushInterval is written by the thread of
/// FlushTimer, but not where it is compressed, as the bytes would depend on the time.
///
/// Reads the parameters of its operator that are about files. Functions that return int32_t have
/// called sl_error where that is not 0.
class SinkFile : private Flushable {
public:
  /// When the buffer goes to the file: where it is full, and if `flush : n` or the operator says
  /// so.
  enum class Flush { IfFull, ByCount, Now };

  explicit SinkFile(ParamOp &owner) : owner(owner) {}
  ~SinkFile();

  int32_t configure();
  /// The bytes that the buffer holds before they are written.
  void setBlock(size_t bytes) { block = bytes; }
  /// `goesOn`: it is the only file, and goes on where it was when its process is started again.
  int32_t open(const std::string &name, bool goesOn);
  bool isOpen() const { return fd >= 0 || standardOut; }
  /// Writes what `add` appends to the text that it is given.
  template <typename Add> int32_t write(Add add, Flush when) {
    os::Held held(lock);
    plain.clear();
    add(encoder ? plain : buffer);
    if (encoder && encode())
      return 1;
    whole = buffer.size;
    return added(when);
  }
  /// Closes the file, and moves it where moveFileToDirectory says.
  int32_t close();
  /// Closes the file for good, without the lock: a thread that has found no memory may hold it.
  int32_t end();
  /// Where the file that was opened last is.
  const std::string &path() const { return where; }
  /// How many files were opened.
  uint64_t opened() const { return count; }
  /// The bytes of the file without those in the buffer. What the timer has written is left out
  /// until the buffer goes to the file without it: the number does not depend on the time.
  uint64_t size() const { return seen; }
  std::string persist();
  /// Writes out the buffer, and says how far the file is.
  void save(Saver &);
  /// What was written so far outlives a loss of power. What went wrong; empty: nothing.
  std::string sync();
  /// Before open(): the file that is opened next, if one was open, is cut off where it was.
  void restore(const Loader &);
  bool wasOpen() const { return restored.has_value(); }

private:
  enum class OnFailure { Terminate, Log, Ignore };

  int32_t openPipe();
  int32_t openRegular(const std::string &name, bool goesOn);
  int openUncut(const std::string &name, os::Open mode);
  int32_t use(int file);
  int makeDirectory(std::string_view name, int error);
  void begin();
  void beginPacking();
  void beginEncoding();
  int32_t encode();
  void stopTimer();
  int32_t cannotOpen(int error);
  int32_t added(Flush when);
  int32_t flush(Packer::Flush mode);
  int32_t packOut(Packer::Flush mode);
  int32_t put(const char *bytes, size_t size);
  int32_t failed(int error);
  std::string writeProblem(int error) const;
  int noteWritten();
  void flushByTimer() override;
  void flushLate();
  void endPacked();
  int32_t finish();
  int32_t move();
  int moveBack();

  ParamOp &owner;
  bool noDirectory = false; // the default data directory is not there and could not be made
  bool appends = false, shares = false;
  bool makesDirectories = false; // those that are not there
  OnFailure onFailure = OnFailure::Terminate;
  Packing packing = Packing::None;
  std::string moveTo, where;
  uint64_t flushEvery = 0, sinceFlush = 0;
  size_t block = 64 * 1024;
  uint64_t count = 0;
  bool timed = false; // the timer knows it

  os::Lock lock; // guards what is below, against the timer's thread
  int fd = -1;
  bool standardOut = false, isRegular = false;
  bool saves = false; // checkpoints are made
  int broken = 0;     // errno of what could not be written first: nothing more is
  int lateError = 0;  // errno of another thread, which the operator has to see
  bool warned = false;
  ResumePoint resume;
  struct Written {
    int descriptor;
    std::string path;
  };
  std::vector<Written> written;     // files that were closed since the last sync()
  std::optional<uint64_t> restored; // the length at a checkpoint of the file to be opened
  uint64_t lateAtCut = 0;           // of that, what `late` was
  uint64_t length = 0, seen = 0;    // of the file, without what is in the buffer; see size()
  uint64_t late = 0;                // bytes that the timer has written since `seen`
  TextOut buffer;
  size_t whole = 0;                 // bytes of the buffer: what is behind them is being written
  TextOut plain;                    // what is written now, before it is encoded
  bool hasText = false;             // before it, in the file
  std::unique_ptr<Encoder> encoder; // if the text is to be in another encoding
  std::unique_ptr<Packer> packer;   // while compressing
  std::unique_ptr<char[]> packed;   // what it writes
};

} // namespace sluice
