//===- FileSource.cpp - spl.adapter::FileSource -------------------------===//
//
// Formats csv, txt and line. Attributes that an output function gives come as
// parameters `$out.NAME` = "FileName" (the resolved path) or "TupleNumber"; all
// others are read.
//
// A file is read in blocks of 256 KiB; tuples are views into them, so nothing is
// allocated or copied for a tuple. A bad row in strict mode ends the program with
// file:line:column of the data (the column counts bytes); otherwise bad rows are left
// out and one warning a file counts them. `fast` does what `permissive` does. After an
// interrupt no window punctuation follows a file that was not read to its end.
//
//===----------------------------------------------------------------------===//
#include "runtime/base/os.h"
#include "stdlib/native/CsvReader.h"
#include "stdlib/native/LineReader.h"
#include "stdlib/native/Params.h"
#include "stdlib/native/Zlib.h"
#include <cerrno>
#include <cmath>

namespace sluice {
namespace {

class FileSource : public ParamOp {
public:
  int32_t open() override;
  int32_t process() override;
  int32_t tuple(uint32_t port, const void *) override;

private:
  enum class Format { Csv, Txt, Line };
  int32_t readOptions();
  int32_t layOut();
  int32_t readFile(std::string_view name);
  int32_t cannotOpen(int error);
  int32_t readRows();
  bool parseRow(std::string_view line);
  int32_t badRow();
  int32_t submitRow();
  int32_t finishFile();
  int32_t report(const std::string &name, int32_t error);
  std::string place() const;

  Format format = Format::Csv;
  bool strict = true, compressed = false, ignoreOpenErrors = false;
  uint64_t headerLines = 0;
  std::string eol = "\n", path, moveTo;

  std::unique_ptr<LineReader> lines;
  CsvReader csv;
  std::vector<Field> readFields;
  TypeDesc readType = {}; // the tuple of what is read
  std::vector<const Field *> nameFields, numberFields;
  std::vector<uint64_t> row; // the tuple
  Arena arena = {};

  uint64_t lineNumber = 0, tupleNumber = 0, badRows = 0;
  std::string firstBad, error;
  size_t errorColumn = 0;

public:
  ~FileSource() override { arenaFree(&arena); }
};

//===--- parameters -----------------------------------------------------------===//

int32_t FileSource::readOptions() {
  std::string name = text("format", "csv"), parsing = text("parsing", "strict"),
              compression = text("compression", "none");
  if (separator(csv.separator))
    return 1;
  format = name == "txt" ? Format::Txt : name == "line" ? Format::Line : Format::Csv;
  strict = parsing == "strict";
  compressed = compression != "none";
  if (compressed && !zlib())
    return sl_error(ctx, "compression needs libz.so.1, which this system does not have");
  csv.extraAllowed = flag("ignoreExtraCSVValues", false);
  csv.delayField = flag("hasDelayField", false);
  ignoreOpenErrors = flag("ignoreOpenErrors", false);
  headerLines = uint64_t(number("hasHeaderLine", 0));
  moveTo = text("moveFileToDirectory", "");
  if (format == Format::Line)
    eol = text("eolMarker", "\n");
  if (eol.empty())
    return sl_error(ctx, "the eolMarker is empty");
  if (csv.delayField && format == Format::Line)
    return sl_error(ctx, "format line has no delay field");
  return 0;
}

/// Decides what is read and what is computed.
int32_t FileSource::layOut() {
  const TypeDesc *type = desc->outTypes[0];
  const Param *given = param("defaultTuple");
  for (uint32_t i = 0; i < type->count; ++i) {
    const Field &field = type->fields[i];
    std::string function = text("$out." + std::string(field.name), "");
    if (!function.empty()) {
      (function == "FileName" ? nameFields : numberFields).push_back(&field);
      continue;
    }
    readFields.push_back(field);
    const void *otherwise = nullptr;
    if (given)
      for (uint32_t d = 0; d < given->values[0].type->count; ++d)
        if (const Field &f = given->values[0].type->fields[d]; !strcmp(f.name, field.name))
          otherwise = static_cast<const char *>(given->values[0].value) + f.offset;
    csv.columns.push_back({field.type, field.offset, otherwise, field.name});
  }
  if (format == Format::Line &&
      (readFields.size() != 1 || readFields[0].type->kind != Kind::RString))
    return sl_error(ctx, "format line needs a single rstring attribute");
  readType = *type;
  readType.count = uint32_t(readFields.size());
  readType.fields = readFields.data();
  row.assign(type->size / 8 + 1, 0);
  return 0;
}

int32_t FileSource::open() {
  if (readOptions() || layOut())
    return 1;
  lines = std::make_unique<LineReader>(ctx);
  return 0;
}

//===--- files ----------------------------------------------------------------===//

int32_t FileSource::process() {
  if (sl_wait(ctx, number("initDelay", 0)))
    return 0;
  return readFile(text("file", ""));
}

int32_t FileSource::tuple(uint32_t, const void *tuple) {
  const TypeDesc *type = desc->inTypes[0];
  if (type->count != 1 || type->fields[0].type->kind != Kind::RString)
    return sl_error(ctx, "the input must be a single rstring attribute");
  auto *name =
      reinterpret_cast<const Str *>(static_cast<const char *>(tuple) + type->fields[0].offset);
  return readFile(viewOf(*name));
}

int32_t FileSource::report(const std::string &name, int32_t errorNumber) {
  if (desc->outputs < 2)
    return 0;
  const TypeDesc *type = desc->outTypes[1];
  std::vector<uint64_t> tuple(type->size / 8 + 1);
  auto *bytes = reinterpret_cast<char *>(tuple.data());
  Str s = strView(name.data(), name.size());
  memcpy(bytes + type->fields[0].offset, &s, sizeof s);
  if (type->count > 1)
    memcpy(bytes + type->fields[1].offset, &errorNumber, sizeof errorNumber);
  return submit(1, tuple.data());
}

int32_t FileSource::cannotOpen(int errorNumber) {
  if (ignoreOpenErrors)
    return report(path, errorNumber);
  return sl_error(ctx, "cannot open %s: %s", path.c_str(), os::errorText(errorNumber).c_str());
}

int32_t FileSource::readFile(std::string_view name) {
  if (name.empty())
    return sl_error(ctx, "the file name is empty");
  path = resolve(name);
  if (int result = lines->open(path, compressed, eol); result < 0)
    return cannotOpen(-result);
  lineNumber = tupleNumber = badRows = 0;
  int32_t result = readRows();
  lines->close();
  if (badRows)
    sl_warn(ctx, desc, "%s: %lu bad row%s left out; the first: %s", path.c_str(),
            (unsigned long)badRows, badRows > 1 ? "s" : "", firstBad.c_str());
  if (result || sl_is_shutdown(ctx))
    return result;
  return finishFile();
}

int32_t FileSource::finishFile() {
  if (int32_t result = submitPunct(0, PunctuationKind::Window))
    return result;
  int failed = 0;
  if (flag("deleteFile", false))
    failed = os::removeFile(path.c_str());
  else if (!moveTo.empty())
    failed = os::renameFile(path.c_str(), (resolve(moveTo) + path.substr(path.rfind('/'))).c_str());
  if (failed)
    return sl_error(ctx, "cannot remove %s: %s", path.c_str(), os::errorText(-failed).c_str());
  return report(path, 0);
}

//===--- rows -----------------------------------------------------------------===//

std::string FileSource::place() const {
  return path + ":" + std::to_string(lineNumber) + ":" + std::to_string(errorColumn) + ": " + error;
}

int32_t FileSource::readRows() {
  std::string_view line;
  for (;;) {
    if (sl_is_shutdown(ctx))
      return 0;
    switch (lines->next(line)) {
    case LineReader::Status::Line:
      break;
    case LineReader::Status::End:
    case LineReader::Status::Stopped:
      return 0;
    case LineReader::Status::Error:
      return sl_error(ctx, "cannot read %s: %s", path.c_str(), lines->error().c_str());
    }
    ++lineNumber;
    if (lineNumber <= headerLines || (format != Format::Line && CsvReader::isIgnored(line)))
      continue;
    ArenaCheckpoint before = arenaCheckpoint(&arena);
    int32_t result = parseRow(line) ? submitRow() : badRow();
    arenaRelease(&arena, before);
    if (result)
      return result;
  }
}

bool FileSource::parseRow(std::string_view line) {
  if (format == Format::Csv) {
    if (csv.parse(line, row.data(), arena))
      return true;
    error = csv.error;
    errorColumn = csv.column;
    return false;
  }
  auto *tuple = reinterpret_cast<char *>(row.data());
  if (format == Format::Line) {
    Str s = strView(line.data(), line.size());
    memcpy(tuple + readFields[0].offset, &s, sizeof s);
    return true;
  }
  const char *p = line.data(), *end = p + line.size();
  if (csv.delayField) {
    bool failed = parseFloat(p, end, Kind::Float64, &csv.delay, true);
    skipBlanks(p, end);
    if (failed || p == end || *p++ != ',') {
      error = "the row does not begin with a delay";
      errorColumn = 1;
      return false;
    }
  }
  memset(tuple, 0, row.size() * 8);
  if (!parseValue(p, end, &readType, tuple, arena, true))
    return true; // what follows the closing brace is ignored
  error = "this is no tuple of the stream's type";
  errorColumn = size_t(p - line.data()) + 1;
  return false;
}

int32_t FileSource::badRow() {
  if (strict)
    return sl_error(ctx, "%s", place().c_str());
  if (!badRows++)
    firstBad = place();
  return 0;
}

int32_t FileSource::submitRow() {
  ++tupleNumber;
  auto *tuple = reinterpret_cast<char *>(row.data());
  for (const Field *f : nameFields) {
    Str s = strView(path.data(), path.size());
    memcpy(tuple + f->offset, &s, sizeof s);
  }
  for (const Field *f : numberFields) // little-endian: the low bytes come first
    memcpy(tuple + f->offset, &tupleNumber, f->type->size);
  if (csv.delayField && sl_wait(ctx, csv.delay))
    return 0;
  return submit(0, tuple);
}

RegisterNative registered("spl.adapter::FileSource",
                          [] { return static_cast<NativeOp *>(new FileSource); });

} // namespace
} // namespace sluice
