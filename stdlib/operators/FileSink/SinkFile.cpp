//===- SinkFile.cpp - the file that a sink writes -------------------------===//
//
// /dev/stdout is the program's standard output, so that what println writes keeps its
// order.
//
// With at-least-once delivery a file that is the only one of its operator goes on, in a
// process that was started again, behind the last byte that was durable at an
// acknowledgement: what follows is cut off, as it comes again. A compressed file cannot go
// on, and begins anew; nor can one whose name has the time in it, which is another one
// then. Of an operator with several files the number and what is in them are not kept:
// they are written anew from the first one on, which drops what was acknowledged. All this
// is warned of. With `append` nothing is dropped, but rows may be there twice.
//
//===----------------------------------------------------------------------===//
#include "stdlib/operators/FileSink/SinkFile.h"
#include "runtime/base/files.h"
#include "stdlib/native/MoveFile.h"
#include "stdlib/native/csv/Conversion.h"
#include "stdlib/operators/FileSink/FileName.h"
#include <algorithm>
#include <cerrno>
#include <utility>

namespace sluice {

constexpr size_t kPackedBytes = 64 * 1024;

int32_t SinkFile::configure() {
  appends = owner.flag("append", false);
  makesDirectories = owner.flag("createDirectories", false);
  shares = owner.flag("shared", false);
  flushEvery = uint64_t(owner.number("flush", 0));
  std::string action = owner.text("writeFailureAction", "terminate");
  onFailure = action == "ignore" ? OnFailure::Ignore
              : action == "log"  ? OnFailure::Log
                                 : OnFailure::Terminate;
  if (std::string target = owner.text("moveFileToDirectory", ""); !target.empty()) {
    moveTo = owner.resolve(target);
    if (makesDirectories)
      os::makeDirectories(moveTo); // checkDirectory says what is wrong
    if (int failed = checkDirectory(moveTo))
      return sl_error(owner.ctx, "files cannot be moved to %s: %s", moveTo.c_str(),
                      os::errorText(-failed).c_str());
  }
  Conversion conversion;
  if (conversion.configure(owner))
    return 1;
  packing = conversion.packing;
  if (!conversion.encoding.empty())
    encoder = std::make_unique<Encoder>(conversion.encoding);
  bool isPacked = packing != Packing::None;
  double interval = owner.number("flushInterval", 1);
  timed = !isPacked && interval > 0 && flushEvery != 1;
  if (timed)
    FlushTimer::shared().add(this, int64_t(std::min(interval, 1e9) * double(os::kNanos)));
  return 0;
}

//===--- opening --------------------------------------------------------------===//

/// Makes the directory of a file that could not be opened: with createDirectories, and the data
/// directory that nobody asked for, data/ of the application, which need not exist before something
/// is written to it. Opening the file has failed with `error`: 0 if it may be tried again, else the
/// error that remains.
int SinkFile::makeDirectory(std::string_view name, int error) {
  if (makesDirectories && error == -ENOENT)
    return os::makeDirectories(where.substr(0, where.rfind('/')));
  std::string directory = sl_data_dir(owner.ctx);
  if (error != -ENOENT || name.starts_with("/") ||
      directory != std::string(sl_app_dir(owner.ctx)) + "/data")
    return error;
  int made = os::makeDirectory(directory.c_str());
  if (made == -EEXIST)
    return error;
  noDirectory = made < 0;
  return made;
}

/// Opens a named pipe, which has to have a reader: waits until there is one, or the program ends.
int32_t SinkFile::openPipe() {
  while (!sl_is_shutdown(owner.ctx)) {
    int result = os::openFile(where.c_str(), os::Open::Pipe);
    if (result != -ENXIO && result < 0)
      return cannotOpen(-result);
    if (result >= 0) {
      os::Held held(lock);
      fd = result;
      return 0;
    }
    os::Event().sleep(10'000'000);
  }
  return 0;
}

/// Opens a file and leaves what is in it. Returns a descriptor, or a negative errno.
int SinkFile::openUncut(const std::string &name, os::Open mode) {
  int file = os::openFile(where.c_str(), mode);
  if (file < 0 && (file = makeDirectory(name, file)) == 0)
    file = os::openFile(where.c_str(), mode);
  return file;
}

/// A file that was open at a checkpoint, and was closed and moved behind it, comes back.
int SinkFile::moveBack() {
  size_t slash = where.rfind('/');
  std::string moved = moveTo + where.substr(slash);
  bool isMoved = restored && !moveTo.empty() && !os::identityOf(where.c_str()) &&
                 os::identityOf(moved.c_str());
  return isMoved ? moveFile(moved, where.substr(0, slash)) : 0;
}

/// The program writes the file from now on.
int32_t SinkFile::use(int file) {
  isRegular = os::isRegular(file);
  if (!isRegular ||
      !sl_use_file(owner.ctx, where.c_str(), shares ? FileUse::Share : FileUse::Write))
    return 0;
  isRegular = false;
  os::closeFile(file);
  return 1;
}

/// Opens anything but a pipe.
int32_t SinkFile::openRegular(const std::string &name, bool goesOn) {
  ResumePoint point;
  sl_resume_point(owner.ctx, owner.desc, &point);
  bool isPacked = packing != Packing::None;
  const char *what = isPacked                          ? "a compressed file"
                     : appends && !goesOn              ? nullptr
                     : !goesOn                         ? "a FileSink with several files"
                     : hasTime(owner.text("file", "")) ? "a file with the time in its name"
                                                       : nullptr;
  if (point && what && count == 1)
    sl_warn(owner.ctx, owner.desc,
            "%s begins anew, without what was acknowledged, when its process is started again",
            what);
  if (what || !goesOn)
    point = {};
  auto before = point.position();
  if (int failed = moveBack())
    return cannotOpen(-failed);
  int file = openUncut(name, before || restored || appends ? os::Open::Append : os::Open::Keep);
  if (file < 0)
    return cannotOpen(-file);
  if (use(file))
    return 1;
  int64_t size = os::sizeOfFile(file); // not before: who wrote it until now may have gone on
  if (size < 0) {
    os::closeFile(file);
    return cannotOpen(int(-size));
  }
  std::optional<uint64_t> saved = std::exchange(restored, std::nullopt);
  if (saved && uint64_t(size) < *saved && !broken) {
    os::closeFile(file);
    return sl_error(
        owner.ctx, "%s has %lld bytes, and had %llu at the checkpoint: it was changed meanwhile",
        where.c_str(), static_cast<long long>(size), static_cast<unsigned long long>(*saved));
  }
  uint64_t kept = saved ? *saved : before ? *before : appends ? UINT64_MAX : 0;
  if (isRegular && where != "/dev/stderr" && kept < uint64_t(size)) {
    if (int failed = os::cutFile(file, kept)) {
      os::closeFile(file);
      return cannotOpen(-failed);
    }
    size = int64_t(kept);
  }
  os::Held held(lock);
  fd = file;
  resume = point;
  length = seen = uint64_t(size);
  if (saved) {
    seen -= std::min(lateAtCut, seen);
    late = length - seen;
  }
  hasText = size > 0;
  beginEncoding();
  return 0;
}

/// Forgets the file before.
void SinkFile::begin() {
  os::Held held(lock);
  broken = 0; // lateError may be of the file before, and is to be seen
  saves = owner.ctx->saves;
  length = seen = late = 0;
  resume = {};
  warned = isRegular = hasText = false;
  packer.reset(); // of a file that could not be opened
  if (packing != Packing::None && !restored)
    beginPacking();
  beginEncoding();
  standardOut = where == "/dev/stdout";
}

int32_t SinkFile::open(const std::string &name, bool goesOn) {
  if (name.empty())
    return sl_error(owner.ctx, "the file name is empty");
  where = owner.resolve(name);
  ++count;
  begin();
  if (standardOut)
    return 0;
  if (os::isPipe(where.c_str()))
    return openPipe();
  return openRegular(name, goesOn);
}

int32_t SinkFile::cannotOpen(int error) {
  return sl_error(
      owner.ctx, "cannot open %s: %s%s", where.c_str(), os::openErrorText(where, error).c_str(),
      noDirectory ? " (its directory cannot be made; --data-dir names another)"
      : error == ENOENT && !makesDirectories ? " (`createDirectories : true` makes its directory)"
                                             : "");
}

void SinkFile::beginPacking() {
  packer = std::make_unique<Packer>(packing);
  if (!packed)
    packed.reset(new char[kPackedBytes]);
}

/// The text begins, or goes on behind what is in the file.
void SinkFile::beginEncoding() {
  if (encoder)
    encoder->begin(hasText);
}

//===--- writing --------------------------------------------------------------===//

std::string SinkFile::writeProblem(int error) const {
  return "cannot write " + where + ": " + os::errorText(error);
}

int32_t SinkFile::failed(int error) {
  if (onFailure == OnFailure::Log) {
    if (!std::exchange(warned, true))
      sl_warn(owner.ctx, owner.desc, "%s", writeProblem(error).c_str());
    return 0;
  }
  broken = broken ? broken : error;
  return onFailure == OnFailure::Ignore ? 0
                                        : sl_error(owner.ctx, "%s", writeProblem(error).c_str());
}

int32_t SinkFile::put(const char *bytes, size_t size) {
  length += size;
  if (standardOut)
    return sl_out(owner.ctx, bytes, size);
  int result = os::writeFile(fd, bytes, size);
  return result < 0 ? failed(-result) : 0;
}

/// What the encoding lacks is not written, nor what was to be written with it.
int32_t SinkFile::encode() {
  if (encoder->put(plain.view(), buffer)) {
    hasText |= plain.size > 0;
    return 0;
  }
  buffer.size = whole;
  beginEncoding();
  return sl_error(owner.ctx, "cannot write %s: %s", where.c_str(), encoder->problem().c_str());
}

int32_t SinkFile::packOut(Packer::Flush mode) {
  packer->give({buffer.data, whole});
  for (size_t size = kPackedBytes; size == kPackedBytes;) {
    size = packer->take(packed.get(), kPackedBytes, mode);
    if (put(packed.get(), size))
      return 1;
  }
  return 0;
}

/// Gives the buffer to the system.
int32_t SinkFile::flush(Packer::Flush mode) {
  int32_t result = 0;
  if (packing != Packing::None && !packer && whole)
    beginPacking(); // behind a checkpoint
  if (!broken && isOpen())
    result = packer ? packOut(mode) : whole ? put(buffer.data, whole) : 0;
  buffer.clear();
  whole = 0;
  late = 0;
  seen = length;
  return result;
}

int32_t SinkFile::added(Flush when) {
  if (lateError)
    if (int32_t result = failed(std::exchange(lateError, 0)))
      return result;
  bool isDue = when == Flush::Now;
  if (isDue || (when == Flush::ByCount && flushEvery && ++sinceFlush >= flushEvery)) {
    sinceFlush = 0;
    return flush(Packer::Flush::Sync);
  }
  return buffer.size + late >= block || standardOut ? flush(Packer::Flush::Nothing) : 0;
}

/// By another thread, which holds the lock. What is being written stays.
void SinkFile::flushLate() {
  if (broken || lateError || fd < 0 || !whole)
    return;
  lateError = -os::writeFile(fd, buffer.data, whole);
  length += lateError ? 0 : whole; // how much was written is not known
  late += whole;
  buffer.clear();
  whole = 0;
}

void SinkFile::flushByTimer() {
  // The operator is at work. It may stay so: it ends the program where it finds no memory.
  if (!lock.tryLock())
    return;
  flushLate();
  lock.unlock();
}

std::string SinkFile::persist() {
  os::Held held(lock);
  if (!packer)
    flushLate();
  if (int error = broken ? broken : lateError; error && onFailure == OnFailure::Terminate)
    return writeProblem(error);
  resume.note(length);
  return {};
}

//===--- checkpoints ----------------------------------------------------------===//

/// What was compressed so far ends, as nobody can go on inside of it. What follows begins anew:
/// both are one file to who reads it.
void SinkFile::endPacked() {
  if ((!packer && !whole) || broken || lateError || fd < 0)
    return;
  if (!packer)
    beginPacking();
  packer->give({buffer.data, whole});
  for (size_t size = kPackedBytes; size == kPackedBytes && !lateError;) {
    size = packer->take(packed.get(), kPackedBytes, Packer::Flush::Finish);
    lateError = -os::writeFile(fd, packed.get(), size);
    length += size;
  }
  packer.reset();
  buffer.clear();
  whole = 0;
  seen = length;
}

void SinkFile::save(Saver &saver) {
  os::Held held(lock);
  if (packing != Packing::None)
    endPacked();
  else
    flushLate();
  saver.number("count", int64_t(count));
  if (!isOpen())
    return;
  saver.number("length", int64_t(length));
  saver.number("late", int64_t(late));
}

/// Files that are kept open for the next sync(), at most.
constexpr size_t kMostWritten = 64;

static int syncWithDirectory(int fd, const std::string &path) {
  int failed = os::syncFile(fd);
  int made = os::syncDirectory(path.substr(0, path.rfind('/') + 1).c_str());
  return failed ? -failed : -made;
}

/// Keeps the file open for the next sync(): it may be closed before. Returns an errno.
int SinkFile::noteWritten() {
  if (fd < 0 || !isRegular || !saves)
    return 0;
  int copy = written.size() < kMostWritten ? os::copyDescriptor(fd) : -1;
  if (copy < 0)
    return syncWithDirectory(fd, where); // this one waits
  written.push_back({copy, where});
  return 0;
}

/// What a system could not write it may forget: no checkpoint may count on a file of which that was
/// said. So the operator fails when it goes on.
std::string SinkFile::sync() {
  std::vector<Written> all;
  int failed;
  {
    os::Held held(lock);
    int error = noteWritten();
    all.swap(written);
    failed = broken ? broken : lateError ? lateError : error;
  }
  std::string problem = failed ? writeProblem(failed) : "";
  for (const Written &file : all) {
    int error = syncWithDirectory(file.descriptor, file.path);
    os::closeFile(file.descriptor);
    if (error && problem.empty())
      problem = "cannot write " + file.path + ": " + os::errorText(error);
    failed = failed ? failed : error;
  }
  os::Held held(lock);
  if (!broken && !lateError)
    lateError = failed;
  return problem;
}

void SinkFile::restore(const Loader &loader) {
  count = uint64_t(loader.number("count").value_or(0));
  if (std::optional<int64_t> at = loader.number("length")) {
    restored = uint64_t(*at);
    lateAtCut = uint64_t(loader.number("late").value_or(0));
    count -= count > 0; // opening it counts it again
  }
}

//===--- closing --------------------------------------------------------------===//

/// Writes out the rest and closes the file.
int32_t SinkFile::finish() {
  int32_t result = lateError ? failed(std::exchange(lateError, 0)) : 0;
  if (encoder && isOpen()) {
    buffer.size = whole;
    encoder->end(buffer);
    whole = buffer.size;
  }
  if (int32_t flushed = flush(Packer::Flush::Finish); !result)
    result = flushed;
  packer.reset();
  standardOut = false;
  if (fd < 0)
    return result;
  int error = noteWritten();
  int closed = os::closeFile(std::exchange(fd, -1));
  if ((error || closed < 0) && !result && !broken)
    result = failed(error ? error : -closed);
  return result;
}

int32_t SinkFile::close() {
  bool isFile;
  {
    os::Held held(lock);
    isFile = fd >= 0 && isRegular;
    if (int32_t result = finish())
      return result;
  }
  return isFile ? move() : 0;
}

void SinkFile::stopTimer() {
  if (std::exchange(timed, false))
    FlushTimer::shared().remove(this);
}

SinkFile::~SinkFile() {
  stopTimer();
  for (const Written &file : written)
    os::closeFile(file.descriptor);
}

int32_t SinkFile::end() {
  stopTimer();
  bool isFile = fd >= 0 && isRegular;
  if (int32_t result = finish())
    return result;
  return isFile ? move() : 0;
}

/// The file is closed: others may use it.
int32_t SinkFile::move() {
  sl_end_use(owner.ctx, where.c_str());
  if (moveTo.empty())
    return 0;
  if (int failed = moveFile(where, moveTo))
    return sl_error(owner.ctx, "cannot move %s to %s: %s", where.c_str(), moveTo.c_str(),
                    os::errorText(-failed).c_str());
  where = moveTo + where.substr(where.rfind('/'));
  return 0;
}

} // namespace sluice
