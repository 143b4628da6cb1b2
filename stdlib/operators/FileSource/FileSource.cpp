//===- FileSource.cpp - spl.adapter::FileSource -------------------------===//
//
// Formats csv, txt, line and block. Attributes that an output function gives come as
// parameters `$out.NAME` = "FileName" (the resolved path) or "TupleNumber"; all
// others are read.
//
// A file is read in blocks of 256 KiB; tuples are views into them, so nothing is
// allocated or copied for a tuple. A bad row in strict mode ends the program with
// file:line:column of the data (the column counts bytes); otherwise bad rows are left
// out and one warning a file counts them. `fast` does what `permissive` does. After an
// interrupt no window punctuation follows a file that was not read to its end.
//
// With at-least-once delivery a source whose process was started again reads its
// file from the beginning, as numbers of lines and tuples count from there, and
// submits what comes behind the last position whose tuples were all done.
//
//===----------------------------------------------------------------------===//
#include "runtime/base/Words.h"
#include "runtime/base/os.h"
#include "sluice/resume.h"
#include "stdlib/native/MoveFile.h"
#include "stdlib/native/Params.h"
#include "stdlib/native/Zlib.h"
#include "stdlib/native/csv/CsvReader.h"
#include "stdlib/native/csv/Format.h"
#include "stdlib/native/csv/LineReader.h"
#include <cerrno>
#include <cmath>

namespace sluice {
namespace {

/// How long a row may be that goes over several lines.
constexpr size_t kMaxRow = 64 * 1024 * 1024;
/// Bytes of a file after which it says how far it is.
constexpr uint64_t kSpan = 64 * 1024;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf", kGzip = "\x1f\x8b";

class FileSource : public ParamOp {
public:
  int32_t open() override;
  int32_t process() override;
  int32_t tuple(uint32_t port, const void *) override;

private:
  int32_t readOptions();
  int32_t layOut();
  int32_t readFile(std::string_view name);
  int32_t cannotOpen(int error);
  /// Whether the file is not there any more when it was read.
  bool resumes() const override {
    return os::identityOf(resolve(text("file", "")).c_str()).has_value();
  }
  bool takesAway() const { return deletes || !moveTo.empty(); }
  int32_t readRows();
  int32_t readRow(std::string_view line);
  bool parseRow(std::string_view &line);
  bool closeString(std::string_view &line);
  int32_t readTuples(std::string_view line);
  bool parseTuple(std::string_view &line, size_t &at);
  int32_t badRow(std::string_view text);
  int32_t submitRow();
  void noteReached(uint64_t apart);
  int32_t finishFile();
  int32_t report(const std::string &name, int32_t error);
  void seeMark(std::string_view &line);
  std::string place(std::string_view text) const;
  std::string csvHint(std::string_view text) const;

  Format format = Format::Csv;
  bool strict = true, compressed = false, ignoreOpenErrors = false;
  uint64_t headerLines = 0, blockSize = 0;
  bool deletes = false;
  std::string eol, path, moveTo; // no eol: any of \n, \r\n, \r

  std::unique_ptr<LineReader> lines;
  CsvReader csv;
  std::vector<Field> readFields;
  TypeDesc readType = {}; // the tuple of what is read
  std::vector<const Field *> nameFields, numberFields;
  std::vector<uint64_t> row; // the tuple
  Arena arena = {};

  ResumePoint resume;
  bool notes = false;            // it says how far it is
  uint64_t done = 0;             // bytes of the file that need not be submitted again
  std::optional<uint64_t> noted; // what it has said last

  uint64_t lineNumber = 0; // of the line in which the text at hand begins
  uint64_t tupleNumber = 0, badRows = 0;
  bool looksPacked = false; // the file begins as gzip does
  std::string firstBad, error;
  size_t errorAt = 0; // in the row

public:
  ~FileSource() override { arenaFree(&arena); }
};

//===--- parameters -----------------------------------------------------------===//

int32_t FileSource::readOptions() {
  std::string name = text("format", "csv"), parsing = text("parsing", "strict"),
              compression = text("compression", "none");
  if (separator(csv.separator))
    return 1;
  format = formatOf(name);
  strict = parsing == "strict";
  compressed = compression != "none";
  if (compressed && !zlib())
    return sl_error(ctx, "compression needs libz.so.1, which this system does not have");
  csv.extraAllowed = flag("ignoreExtraCSVValues", false);
  csv.delayField = flag("hasDelayField", false);
  ignoreOpenErrors = flag("ignoreOpenErrors", false);
  headerLines = uint64_t(number("hasHeaderLine", 0));
  deletes = flag("deleteFile", false);
  if (std::string target = text("moveFileToDirectory", ""); !target.empty()) {
    moveTo = resolve(target);
    if (int failed = checkDirectory(moveTo))
      return sl_error(ctx, "files cannot be moved to %s: %s", moveTo.c_str(),
                      os::errorText(-failed).c_str());
  }
  csv.rfc4180 = text("quoting", "spl") == "rfc4180";
  if (format == Format::Line)
    eol = text("eolMarker", "\n");
  if (format == Format::Line && eol.empty())
    return sl_error(ctx, "the eolMarker is empty");
  if (csv.delayField && isSingleAttribute(format))
    return sl_error(ctx, "format %s has no delay field", name.c_str());
  blockSize = uint64_t(number("blockSize", 0));
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
  if (isSingleAttribute(format) &&
      (readFields.size() != 1 || readFields[0].type->kind != attributeKind(format)))
    return sl_error(ctx, "the format needs a single attribute of type %s",
                    infoOf(attributeKind(format)).keyword);
  readType = *type;
  readType.count = uint32_t(readFields.size());
  readType.fields = readFields.data();
  row.assign(type->size / 8 + 1, 0);
  return 0;
}

int32_t FileSource::open() {
  if (readOptions() || layOut())
    return 1;
  lines = std::make_unique<LineReader>(this);
  std::string name = text("file", "");
  return name.empty() ? 0 : sl_use_file(ctx, resolve(name).c_str(), FileUse::Read);
}

//===--- files ----------------------------------------------------------------===//

int32_t FileSource::process() {
  if (sl_wait(ctx, number("initDelay", 0)))
    return 0;
  sl_resume_point(ctx, desc, &resume);
  if (resume && takesAway())
    sl_warn(ctx, desc,
            "a file that is removed or moved cannot be read again: what was not acknowledged by "
            "then is lost when its process is started again");
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
  for (uint32_t i = 0; i < type->count; ++i) {
    const Field &field = type->fields[i];
    if (field.type->kind == Kind::RString)
      memcpy(bytes + field.offset, &s, sizeof s);
    else
      memcpy(bytes + field.offset, &errorNumber, sizeof errorNumber);
  }
  return submit(1, tuple.data());
}

int32_t FileSource::cannotOpen(int errorNumber) {
  if (ignoreOpenErrors)
    return report(path, errorNumber);
  return sl_error(ctx, "cannot open %s: %s%s", path.c_str(),
                  os::openErrorText(path, errorNumber).c_str(), missingData(path));
}

int32_t FileSource::readFile(std::string_view name) {
  if (name.empty())
    return sl_error(ctx, "the file name is empty");
  path = resolve(name);
  if (sl_use_file(ctx, path.c_str(), FileUse::Read))
    return 1;
  if (int result = lines->open(path, compressed, eol); result < 0) {
    bool wasRead = result == -ENOENT && takesAway() && resume.position();
    return wasRead ? 0 : cannotOpen(-result);
  }
  lineNumber = tupleNumber = badRows = 0;
  notes = resume && lines->isRegular();
  done = notes ? resume.position().value_or(0) : 0;
  noted.reset();
  int32_t result = readRows();
  lines->close();
  if (badRows)
    sl_warn(ctx, desc, "%s: %lu bad row%s left out; the first: %s", path.c_str(),
            (unsigned long)badRows, plural(badRows), firstBad.c_str());
  if (result || sl_is_shutdown(ctx))
    return result;
  return finishFile();
}

int32_t FileSource::finishFile() {
  if (int32_t result = submitPunct(0, PunctuationKind::Window))
    return result;
  int failed = deletes ? os::removeFile(path.c_str()) : 0;
  if (failed)
    return sl_error(ctx, "cannot remove %s: %s", path.c_str(), os::errorText(-failed).c_str());
  failed = moveTo.empty() ? 0 : moveFile(path, moveTo);
  if (failed)
    return sl_error(ctx, "cannot move %s to %s: %s", path.c_str(), moveTo.c_str(),
                    os::errorText(-failed).c_str());
  return report(path, 0);
}

//===--- rows -----------------------------------------------------------------===//

/// Whether one of \n, \r\n and \r ends at `at`.
static bool endsLine(std::string_view text, size_t at) {
  return text[at] == '\n' || (text[at] == '\r' && (at + 1 == text.size() || text[at + 1] != '\n'));
}

static uint64_t countLineEnds(std::string_view text) {
  uint64_t count = 0;
  for (size_t i = 0; i < text.size(); ++i)
    count += endsLine(text, i);
  return count;
}

/// The position behind the last line end before `at`, or 0.
static size_t lineBegin(std::string_view text, size_t at) {
  while (at && !endsLine(text, at - 1))
    --at;
  return at;
}

/// What the file may have that the parameters do not say.
std::string FileSource::csvHint(std::string_view text) const {
  if (csv.columns.size() > 1 && text.find(csv.separator) == text.npos)
    for (auto [found, written] : {std::pair(';', ";"), {'|', "|"}, {'\t', "\\t"}, {',', ","}})
      if (text.find(found) != text.npos)
        return std::string("; columns that are separated so are read with `separator : \"") +
               written + "\"`";
  if (lineNumber == 1 && !headerLines && csv.isHeader(text))
    return "; a line with the names of the columns is left out with `hasHeaderLine : true`";
  return "";
}

/// A bad row of `text`, which begins with line `lineNumber`: its place, and what is wrong.
std::string FileSource::place(std::string_view text) const {
  size_t begin = lineBegin(text, errorAt);
  std::string hint;
  if (looksPacked)
    hint = "; the file looks compressed: read it with `compression : gzip`";
  else if (lineNumber == 1 && errorAt == 0 && text.starts_with(kByteOrderMark))
    hint = format == Format::Csv ? "; the file begins with a byte order mark, which `quoting : "
                                   "rfc4180` leaves out"
                                 : "; the file begins with a byte order mark";
  else if (format == Format::Csv)
    hint = csvHint(text);
  return path + ":" + std::to_string(lineNumber + countLineEnds(text.substr(0, begin))) + ":" +
         std::to_string(errorAt - begin + 1) + ": " + error + hint;
}

/// Says how far it has read, if that is so many bytes behind what it has said last.
void FileSource::noteReached(uint64_t apart) {
  uint64_t at = lines->position();
  if (!notes || at < done || (noted && at < *noted + apart))
    return;
  sl_reached(ctx, desc, at);
  noted = at;
}

/// The first line begins with a byte order mark: leaves it out, or says which value gets it.
void FileSource::seeMark(std::string_view &line) {
  bool isCsv = format == Format::Csv;
  bool isText = format == Format::Line || (isCsv && csv.columns[0].type->kind == Kind::RString);
  if (isCsv && csv.rfc4180)
    line.remove_prefix(kByteOrderMark.size());
  else if (isText && !headerLines) // what is no text is a bad row, which says so
    sl_warn(ctx, desc, "%s begins with a byte order mark, which becomes part of the first value%s",
            path.c_str(), isCsv ? "; `quoting : rfc4180` leaves it out" : "");
}

int32_t FileSource::readRows() {
  std::string_view line;
  for (;;) {
    if (sl_is_shutdown(ctx))
      return 0;
    noteReached(kSpan);
    switch (format == Format::Block ? lines->nextBlock(blockSize, line) : lines->next(line)) {
    case LineReader::Status::Line:
      break;
    case LineReader::Status::End:
      noteReached(0);
      return 0;
    case LineReader::Status::Stopped:
      return 0;
    case LineReader::Status::Error:
      return sl_error(ctx, "cannot read %s: %s", path.c_str(), lines->error().c_str());
    }
    if (++lineNumber == 1)
      looksPacked = line.starts_with(kGzip);
    if (lineNumber == 1 && line.starts_with(kByteOrderMark))
      seeMark(line);
    if (lineNumber <= headerLines) {
      while (csv.rfc4180 && csv.isOpen(line) && closeString(line)) // a name of several lines
        continue;
      headerLines += countLineEnds(line), lineNumber += countLineEnds(line);
      continue;
    }
    if (!isSingleAttribute(format) && CsvReader::isIgnored(line, !csv.rfc4180, csv.separator))
      continue;
    if (int32_t result = format == Format::Txt ? readTuples(line) : readRow(line))
      return result;
  }
}

int32_t FileSource::readRow(std::string_view line) {
  ++tupleNumber;
  ArenaCheckpoint before = arenaCheckpoint(&arena);
  size_t first = line.size();
  bool taken = true;
  if (format == Format::Csv) {
    taken = parseRow(line);
  } else {
    Str s = strView(line.data(), line.size());
    memcpy(reinterpret_cast<char *>(row.data()) + readFields[0].offset, &s, sizeof s);
  }
  int32_t result = taken ? submitRow() : badRow(line);
  arenaRelease(&arena, before);
  if (line.size() > first)
    lineNumber += countLineEnds(line);
  return result;
}

bool FileSource::parseRow(std::string_view &line) {
  auto parse = [&] {
    bool taken = csv.parse(line, row.data(), arena);
    if (!taken)
      error = csv.error, errorAt = csv.column - 1;
    return taken;
  };
  bool taken = parse();
  if (taken && !csv.hasSurplus)
    return true;
  size_t first = line.size();
  bool open = csv.isOpen(line);
  if (!open)
    return taken;
  while (open && !csv.textBehindQuote && closeString(line))
    open = csv.isOpen(line);
  // The quote has no end, or another string begins with it: it spoils one line.
  if ((open || csv.textBehindQuote) && line.size() > first) {
    lines->shorten(line, first);
    line = line.substr(0, first);
  }
  return parse();
}

/// Adds lines until the quoted string that is open at the end of the row is closed.
bool FileSource::closeString(std::string_view &line) {
  while (line.size() < kMaxRow && lines->extend(line))
    if (!csv.staysOpen(line))
      return true;
  return false;
}

//===--- tuple literals -------------------------------------------------------===//

/// The next position at which a tuple may begin; blanks and lines of comments are passed.
static size_t skipEmpty(std::string_view text, size_t at) {
  const char *p = text.data() + at, *end = text.data() + text.size();
  for (;;) {
    skipBlanks(p, end);
    at = size_t(p - text.data());
    if (p == end || *p != '#' || !CsvReader::isIgnored(text.substr(lineBegin(text, at))))
      return at;
    while (p < end && !endsLine(text, size_t(p - text.data())))
      ++p;
  }
}

/// All tuples that begin in the line. A bad one spoils the rest of the line in which it begins.
int32_t FileSource::readTuples(std::string_view line) {
  for (size_t at = skipEmpty(line, 0); at < line.size(); at = skipEmpty(line, at)) {
    if (size_t begin = lineBegin(line, at)) { // what was read is not needed any more
      lineNumber += countLineEnds(line.substr(0, begin));
      line.remove_prefix(begin);
      at -= begin;
    }
    ++tupleNumber;
    ArenaCheckpoint before = arenaCheckpoint(&arena);
    size_t from = at;
    bool taken = parseTuple(line, at);
    if (!taken)
      for (at = from; at < line.size() && !endsLine(line, at);)
        ++at;
    int32_t result = taken ? submitRow() : badRow(line);
    arenaRelease(&arena, before);
    if (result || sl_is_shutdown(ctx))
      return result;
  }
  lineNumber += countLineEnds(line);
  return 0;
}

/// Parses the tuple at `at`, which is behind it then; adds lines where it goes on in them.
bool FileSource::parseTuple(std::string_view &line, size_t &at) {
  for (unsigned more = 1;; more *= 2) {
    const char *p = line.data() + at, *end = line.data() + line.size();
    bool hasDelay = !csv.delayField || csv.parseDelay(p, end);
    memset(row.data(), 0, row.size() * 8);
    if (hasDelay && !parseValue(p, end, &readType, row.data(), arena, true)) {
      at = size_t(p - line.data());
      return true;
    }
    error = hasDelay ? "this is no tuple of the stream's type"
                     : "the row does not begin with a delay and a comma";
    errorAt = hasDelay ? size_t(p - line.data()) : at;
    const char *text = p + 1;
    bool isOpen = p == end || ((*p == '"' || *p == '\'') &&
                               !CsvReader::closingQuote(text, end, *p, /*doubled=*/false));
    bool added = false;
    for (unsigned i = 0; isOpen && i < more && line.size() - at < kMaxRow; ++i) {
      if (!lines->extend(line))
        break;
      added = true;
    }
    if (!added)
      return false;
  }
}

int32_t FileSource::badRow(std::string_view text) {
  if (strict)
    return sl_error(ctx, "%s", place(text).c_str());
  if (!badRows++)
    firstBad = place(text);
  return 0;
}

int32_t FileSource::submitRow() {
  if (lines->position() <= done)
    return 0;
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
