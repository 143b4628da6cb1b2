//===- FileSink.cpp - spl.adapter::FileSink -----------------------------===//
//
// Formats csv, txt and line; one file, opened at the start. /dev/stdout is the
// program's standard output, so that what println writes keeps its order.
//
//===----------------------------------------------------------------------===//
#include "runtime/base/os.h"
#include "stdlib/native/Params.h"
#include "stdlib/native/Zlib.h"
#include <cerrno>
#include <new>

namespace sluice {
namespace {

constexpr size_t kBufferBytes = 64 * 1024;

class FileSink : public ParamOp {
public:
  int32_t open() override;
  int32_t tuple(uint32_t, const void *) override;
  int32_t punct(uint32_t, PunctuationKind) override;
  int32_t close() override;
  ~FileSink() override { endDeflate(); }

private:
  enum class Format { Csv, Txt, Line };
  int32_t readOptions();
  int32_t layOut();
  int32_t openFile();
  bool makeDefaultDirectory(std::string_view name);
  void writeDelay();
  void writeRow(const void *);
  int32_t flush(int mode);
  int32_t put(const char *bytes, size_t size);
  int32_t deflateOut(int mode);
  void endDeflate();
  int32_t cannotWrite(int error);

  Format format = Format::Csv;
  bool quote = true, delayField = false, flushOnMark = true, writeMarks = false;
  uint64_t flushEvery = 0, sinceFlush = 0;
  char comma = ',';
  std::string eol = "\n", path;
  std::vector<Field> fields; // without those suppressed
  TypeDesc type = {};

  int fd = -1;
  bool standardOut = false, broken = false;
  TextOut buffer;
  size_t whole = 0; // bytes of the buffer: what is behind them is being written
  z_stream stream = {};
  std::unique_ptr<char[]> packed; // set while compressing
  int64_t lastTuple = -1;
};

//===--- parameters -----------------------------------------------------------===//

int32_t FileSink::readOptions() {
  std::string name = text("format", "csv"), compression = text("compression", "none");
  if (separator(comma))
    return 1;
  format = name == "txt" ? Format::Txt : name == "line" ? Format::Line : Format::Csv;
  quote = flag("quoteStrings", true);
  delayField = flag("hasDelayField", false);
  flushOnMark = flag("flushOnPunctuation", true);
  writeMarks = flag("writePunctuations", false);
  flushEvery = uint64_t(number("flush", 0));
  if (format == Format::Line)
    eol = text("eolMarker", "\n");
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
  const Param *suppress = param("suppress");
  for (uint32_t i = 0; i < type.count; ++i) {
    bool left = false;
    if (suppress)
      for (const ParamValue &v : suppress->values)
        left |= viewOf(*static_cast<const Str *>(v.value)) == type.fields[i].name;
    if (!left)
      fields.push_back(type.fields[i]);
  }
  type.fields = fields.data();
  type.count = uint32_t(fields.size());
  if (format == Format::Line && (type.count != 1 || fields[0].type->kind != Kind::RString))
    return sl_error(ctx, "format line needs a single rstring attribute");
  return 0;
}

/// The data directory that nobody asked for, data/ of the application, need not
/// exist before something is written to it.
bool FileSink::makeDefaultDirectory(std::string_view name) {
  std::string directory = sl_data_dir(ctx);
  return !name.starts_with("/") && directory == std::string(sl_app_dir(ctx)) + "/data" &&
         os::makeDirectory(directory.c_str()) == 0;
}

int32_t FileSink::openFile() {
  std::string name = text("file", "");
  if (name.empty())
    return sl_error(ctx, "the file name is empty");
  path = resolve(name);
  standardOut = path == "/dev/stdout";
  if (standardOut)
    return 0;
  auto mode = flag("append", false) ? os::Open::Append : os::Open::Truncate;
  int result = os::openFile(path.c_str(), mode);
  if (result == -ENOENT && makeDefaultDirectory(name))
    result = os::openFile(path.c_str(), mode);
  if (result < 0)
    return sl_error(ctx, "cannot open %s: %s", path.c_str(), os::errorText(-result).c_str());
  fd = result;
  return 0;
}

int32_t FileSink::open() { return readOptions() || layOut() || openFile(); }

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
  } else if (format == Format::Line) {
    buffer.put(viewOf(*reinterpret_cast<const Str *>(bytes + fields[0].offset)));
  } else {
    for (size_t i = 0; i < fields.size(); ++i) {
      if (i)
        buffer.put(comma);
      printValue(buffer, fields[i].type, bytes + fields[i].offset, quote);
    }
  }
  buffer.put(eol);
  whole = buffer.size;
}

int32_t FileSink::tuple(uint32_t, const void *tuple) {
  writeRow(tuple);
  if (flushEvery && ++sinceFlush >= flushEvery) {
    sinceFlush = 0;
    return flush(Z_SYNC_FLUSH);
  }
  return buffer.size >= kBufferBytes || standardOut ? flush(Z_NO_FLUSH) : 0;
}

int32_t FileSink::punct(uint32_t, PunctuationKind kind) {
  bool final = isFinal(kind);
  if (writeMarks && format != Format::Line) {
    buffer.put("Punctuation received: ");
    buffer.put(kMarkerNames[uint32_t(kind)]);
    buffer.put('\n');
    whole = buffer.size;
  }
  if (final)
    return close();
  return flushOnMark ? flush(Z_SYNC_FLUSH) : 0;
}

//===--- writing --------------------------------------------------------------===//

int32_t FileSink::cannotWrite(int error) {
  broken = true;
  return sl_error(ctx, "cannot write %s: %s", path.c_str(), os::errorText(error).c_str());
}

int32_t FileSink::put(const char *bytes, size_t size) {
  if (standardOut) {
    sl_out(ctx, bytes, size);
    return 0;
  }
  int result = os::writeFile(fd, bytes, size);
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

int32_t FileSink::close() {
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
