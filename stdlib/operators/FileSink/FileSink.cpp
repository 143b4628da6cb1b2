//===- FileSink.cpp - spl.adapter::FileSink -----------------------------===//
//
// Formats csv, txt, line and block; one file, opened at the start. /dev/stdout is the
// program's standard output, so that what println writes keeps its order. What has
// been in the buffer for flushInterval is written by the thread of FlushTimer, which
// takes turns with the operator by `lock`; not where it is compressed, as the bytes
// would depend on the time.
//
// With at-least-once delivery its file goes on, in a process that was started again,
// behind the last byte that was durable at an acknowledgement: what follows is cut
// off, as it comes again. A compressed file cannot go on, and begins anew; nor can one
// whose name has the time in it, which is another one then.
//
//===----------------------------------------------------------------------===//
#include "runtime/base/files.h"
#include "runtime/base/os.h"
#include "sluice/resume.h"
#include "stdlib/native/Params.h"
#include "stdlib/native/Zlib.h"
#include "stdlib/native/csv/CsvWriter.h"
#include "stdlib/native/csv/Format.h"
#include "stdlib/operators/FileSink/FileName.h"
#include "stdlib/operators/FileSink/FlushTimer.h"
#include <algorithm>
#include <cerrno>
#include <new>
#include <optional>
#include <utility>

namespace sluice {
namespace {

constexpr size_t kBufferBytes = 64 * 1024;

class FileSink : public ParamOp, private Flushable {
public:
  int32_t open() override;
  int32_t tuple(uint32_t, const void *) override;
  int32_t punct(uint32_t, PunctuationKind) override;
  int32_t close() override;
  std::string persist() override;
  ~FileSink() override {
    stopTimer();
    endDeflate();
  }

private:
  int32_t readOptions();
  int32_t layOut();
  int32_t openFile();
  int openAt(const std::string &name);
  int makeDefaultDirectory(std::string_view name, int error);
  int openPipe();
  void writeDelay();
  void writeRow(const void *);
  void flushByTimer() override;
  void flushLate();
  void stopTimer();
  int32_t flush(int mode);
  int32_t finish();
  int32_t put(const char *bytes, size_t size);
  int32_t deflateOut(int mode);
  void endDeflate();
  int32_t cannotOpen(int error);
  int32_t cannotWrite(int error);
  std::string writeProblem(int error) const;

  Format format = Format::Csv;
  bool noDirectory = false; // the default data directory is not there and could not be made
  bool delayField = false, flushOnMark = true, writeMarks = false;
  uint64_t flushEvery = 0, sinceFlush = 0;
  double flushInterval = 1; // s
  CsvStyle style;
  std::optional<CsvWriter> csv;
  std::string eol = "\n", path;
  std::vector<Field> fields; // without those suppressed
  TypeDesc type = {};

  int fd = -1;
  bool standardOut = false;
  int broken = 0; // errno of what could not be written first
  os::Lock lock;  // guards what is below, against the timer's thread
  bool timed = false;
  ResumePoint resume;
  uint64_t length = 0; // of the file, without what is in the buffer
  int lateError = 0;   // errno of the timer's thread, which the operator reports
  TextOut buffer;
  size_t whole = 0; // bytes of the buffer: what is behind them is being written
  z_stream stream = {};
  std::unique_ptr<char[]> packed; // set while compressing
  int64_t lastTuple = -1;
};

//===--- parameters -----------------------------------------------------------===//

int32_t FileSink::readOptions() {
  std::string name = text("format", "csv"), compression = text("compression", "none");
  if (separator(style.separator))
    return 1;
  format = formatOf(name);
  style.quoteStrings = flag("quoteStrings", true);
  delayField = flag("hasDelayField", false);
  flushOnMark = flag("flushOnPunctuation", true);
  writeMarks = flag("writePunctuations", false);
  flushEvery = uint64_t(number("flush", 0));
  flushInterval = number("flushInterval", 1);
  style.rfc4180 = text("quoting", "spl") == "rfc4180";
  if (isSingleAttribute(format))
    eol = format == Format::Line ? text("eolMarker", "\n") : "";
  if (compression != "none") {
    packed.reset(new char[kBufferBytes]);
    if (!zlib())
      return sl_error(ctx, "compression needs libz.so.1, which this system does not have");
    if (zlib()->deflateBegin(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
                             compression == "gzip" ? 15 + 16 : 15, 8, Z_DEFAULT_STRATEGY,
                             ZLIB_VERSION, sizeof stream))
      throw std::bad_alloc();
  }
  return 0;
}

int32_t FileSink::layOut() {
  type = *desc->inTypes[0];
  std::vector<uint32_t> suppressed = attributes("suppress");
  for (uint32_t i = 0; i < type.count; ++i)
    if (std::find(suppressed.begin(), suppressed.end(), i) == suppressed.end())
      fields.push_back(type.fields[i]);
  type.fields = fields.data();
  type.count = uint32_t(fields.size());
  if (isSingleAttribute(format) &&
      (type.count != 1 || fields[0].type->kind != attributeKind(format)))
    return sl_error(ctx, "the format needs a single attribute of type %s",
                    infoOf(attributeKind(format)).keyword);
  csv.emplace(fields, style);
  return 0;
}

/// The data directory that nobody asked for, data/ of the application, need not
/// exist before something is written to it. Opening the file has failed with `error`: 0 if it may
/// be tried again, else the error that remains.
int FileSink::makeDefaultDirectory(std::string_view name, int error) {
  std::string directory = sl_data_dir(ctx);
  if (error != -ENOENT || name.starts_with("/") ||
      directory != std::string(sl_app_dir(ctx)) + "/data")
    return error;
  int made = os::makeDirectory(directory.c_str());
  if (made == -EEXIST)
    return error;
  noDirectory = made < 0;
  return made;
}

/// Opens a named pipe, which has to have a reader: waits until there is one. -1: the program ends.
int FileSink::openPipe() {
  while (!sl_is_shutdown(ctx)) {
    int result = os::openFile(path.c_str(), os::Open::Pipe);
    if (result != -ENXIO)
      return result;
    os::Event().sleep(10'000'000);
  }
  return -ENXIO;
}

/// Opens a regular file. Returns a descriptor, or a negative errno.
int FileSink::openAt(const std::string &name) {
  sl_resume_point(ctx, desc, &resume);
  const char *what = packed                      ? "a compressed file"
                     : hasTime(text("file", "")) ? "a file with the time in its name"
                                                 : nullptr;
  if (resume && what) {
    resume = {};
    sl_warn(ctx, desc,
            "%s begins anew, without what was acknowledged, when its process is started again",
            what);
  }
  auto before = resume.position();
  auto mode = before || flag("append", false) ? os::Open::Append : os::Open::Truncate;
  int file = os::openFile(path.c_str(), mode);
  if (file < 0 && (file = makeDefaultDirectory(name, file)) == 0)
    file = os::openFile(path.c_str(), mode);
  int64_t size = file < 0 ? file : os::sizeOfFile(file);
  if (size < 0) // of the file, or of what is none
    return file;
  length = uint64_t(size);
  if (before && *before < length && os::cutFile(file, *before) == 0)
    length = *before;
  return file;
}

int32_t FileSink::openFile() {
  std::string pattern = text("file", "");
  int64_t seconds;
  uint32_t nanos;
  sl_wall_clock(ctx, &seconds, &nanos);
  std::string name = fileName(pattern, 0, seconds);
  if (name.empty())
    return sl_error(ctx, "the file name is empty");
  path = resolve(name);
  standardOut = path == "/dev/stdout";
  if (standardOut)
    return 0;
  if (os::isPipe(path.c_str())) {
    fd = openPipe();
    if (fd < 0 && sl_is_shutdown(ctx))
      return 0;
    return fd < 0 ? cannotOpen(-fd) : 0;
  }
  if (sl_use_file(ctx, path.c_str(), FileUse::Write))
    return 1;
  int result = openAt(name);
  if (result < 0)
    return cannotOpen(-result);
  fd = result;
  return sl_use_file(ctx, path.c_str(), FileUse::Write); // it may be new
}

int32_t FileSink::cannotOpen(int error) {
  return sl_error(ctx, "cannot open %s: %s%s", path.c_str(), os::openErrorText(path, error).c_str(),
                  noDirectory ? " (its directory cannot be made; --data-dir names another)" : "");
}

int32_t FileSink::open() {
  if (readOptions() || layOut() || openFile())
    return 1;
  timed = fd >= 0 && !packed && flushInterval > 0 && flushEvery != 1;
  if (timed)
    FlushTimer::shared().add(this, int64_t(std::min(flushInterval, 1e9) * double(os::kNanos)));
  return 0;
}

//===--- rows -----------------------------------------------------------------===//

/// The seconds since the tuple before.
void FileSink::writeDelay() {
  int64_t now = sl_now(ctx);
  printFloat(buffer, lastTuple < 0 ? 0.0 : double(now - lastTuple) / double(os::kNanos));
  buffer.put(',');
  lastTuple = now;
}

void FileSink::writeRow(const void *tuple) {
  auto *bytes = static_cast<const char *>(tuple);
  if (delayField)
    writeDelay();
  if (format == Format::Txt) {
    printValue(buffer, &type, tuple, true);
  } else if (isSingleAttribute(format)) {
    buffer.put(viewOf(*reinterpret_cast<const Str *>(bytes + fields[0].offset)));
  } else {
    csv->write(buffer, tuple);
  }
  buffer.put(eol);
  whole = buffer.size;
}

int32_t FileSink::tuple(uint32_t, const void *tuple) {
  os::Held held(lock);
  if (lateError)
    return cannotWrite(std::exchange(lateError, 0));
  writeRow(tuple);
  if (flushEvery && ++sinceFlush >= flushEvery) {
    sinceFlush = 0;
    return flush(Z_SYNC_FLUSH);
  }
  return buffer.size >= kBufferBytes || standardOut ? flush(Z_NO_FLUSH) : 0;
}

int32_t FileSink::punct(uint32_t, PunctuationKind kind) {
  os::Held held(lock);
  if (writeMarks && delayField && !isSingleAttribute(format))
    writeDelay();
  if (writeMarks && !isSingleAttribute(format)) {
    buffer.put("Punctuation received: ");
    buffer.put(kMarkerNames[uint32_t(kind)]);
    buffer.put('\n');
    whole = buffer.size;
  }
  if (isFinal(kind))
    return finish();
  return flushOnMark ? flush(Z_SYNC_FLUSH) : 0;
}

//===--- writing --------------------------------------------------------------===//

std::string FileSink::writeProblem(int error) const {
  return "cannot write " + path + ": " + os::errorText(error);
}

int32_t FileSink::cannotWrite(int error) {
  broken = broken ? broken : error;
  return sl_error(ctx, "%s", writeProblem(error).c_str());
}

int32_t FileSink::put(const char *bytes, size_t size) {
  if (standardOut)
    return sl_out(ctx, bytes, size);
  int result = os::writeFile(fd, bytes, size);
  length += size;
  return result < 0 ? cannotWrite(-result) : 0;
}

int32_t FileSink::deflateOut(int mode) {
  stream.next_in = reinterpret_cast<Bytef *>(buffer.data);
  stream.avail_in = uInt(whole);
  do {
    stream.next_out = reinterpret_cast<Bytef *>(packed.get());
    stream.avail_out = kBufferBytes;
    zlib()->deflate(&stream, mode);
    if (put(packed.get(), kBufferBytes - stream.avail_out))
      return 1;
  } while (!stream.avail_out);
  return 0;
}

/// Gives the buffer to the system; mode is zlib's.
int32_t FileSink::flush(int mode) {
  if (broken || (fd < 0 && !standardOut)) {
    buffer.clear();
    whole = 0;
    return 0;
  }
  int32_t result = packed ? deflateOut(mode) : whole ? put(buffer.data, whole) : 0;
  buffer.clear();
  whole = 0;
  return result;
}

void FileSink::endDeflate() {
  if (packed)
    zlib()->deflateEnd(&stream);
  packed.reset();
}

/// By another thread, which holds the lock. What is being written stays.
void FileSink::flushLate() {
  if (broken || fd < 0 || !whole)
    return;
  lateError = -os::writeFile(fd, buffer.data, whole);
  length += whole;
  broken = lateError;
  buffer.clear();
  whole = 0;
}

void FileSink::flushByTimer() {
  // The operator is at work. It may stay so: it ends the program where it finds no memory.
  if (!lock.tryLock())
    return;
  flushLate();
  lock.unlock();
}

std::string FileSink::persist() {
  os::Held held(lock);
  if (!packed)
    flushLate();
  if (broken)
    return writeProblem(broken);
  resume.note(length);
  return {};
}

void FileSink::stopTimer() {
  if (timed)
    FlushTimer::shared().remove(this);
  timed = false;
}

/// Without the lock: a thread that has found no memory may hold it.
int32_t FileSink::close() {
  stopTimer();
  return finish();
}

/// Writes out the rest and closes the file.
int32_t FileSink::finish() {
  if (lateError)
    return cannotWrite(std::exchange(lateError, 0));
  int32_t result = flush(Z_FINISH);
  endDeflate();
  standardOut = false;
  if (fd < 0)
    return result;
  int closed = os::closeFile(fd);
  fd = -1;
  return closed < 0 && !result && !broken ? cannotWrite(-closed) : result;
}

RegisterNative registered("spl.adapter::FileSink",
                          [] { return static_cast<NativeOp *>(new FileSink); });

} // namespace
} // namespace sluice
