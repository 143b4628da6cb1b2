//===- RowReader.cpp - text to tuples -----------------------------------===//
#include "stdlib/native/csv/RowReader.h"
#include "sluice/leftout.h"
#include "stdlib/native/csv/LineEnds.h"
#include <utility>

namespace sluice {

//===--- parameters -----------------------------------------------------------===//

int32_t RowReader::readOptions() {
  std::string formatName = op.text("format", "csv");
  if (op.separator(csv.separator))
    return 1;
  format = formatOf(formatName);
  strict = op.text("parsing", "strict") == "strict";
  csv.extraAllowed = op.flag("ignoreExtraCSVValues", false);
  csv.delayField = binary.delayField = op.flag("hasDelayField", false);
  binary.marks = op.flag("readPunctuations", false);
  allHeaderLines = uint64_t(op.number("hasHeaderLine", 0));
  csv.rfc4180 = op.text("quoting", "spl") == "rfc4180";
  if (format == Format::Line)
    eol = op.text("eolMarker", "\n");
  if (format == Format::Line && eol.empty())
    return sl_error(op.ctx, "the eolMarker is empty");
  if (csv.delayField && isSingleAttribute(format))
    return sl_error(op.ctx, "format %s has no delay field", formatName.c_str());
  blockSize = uint64_t(op.number("blockSize", 0));
  encoding = op.text("encoding", "");
  return 0;
}

/// An attribute that an output function gives.
void RowReader::layOutFunction(const Field &field, std::string_view function) {
  if (function == "TupleNumber")
    countFields.push_back(&field);
  for (auto [name, value] : texts)
    if (name == function)
      textFields.push_back({&field, value});
  for (auto [name, value] : numbers)
    if (name == function)
      numberFields.push_back({&field, value});
}

/// Decides what is read and what is computed.
int32_t RowReader::layOut() {
  const TypeDesc *type = op.desc->outTypes[0];
  const Param *given = op.param("defaultTuple");
  for (uint32_t i = 0; i < type->count; ++i) {
    const Field &field = type->fields[i];
    std::string function = op.text("$out." + std::string(field.name), "");
    if (!function.empty()) {
      isSupplied = true;
      layOutFunction(field, function);
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
    return sl_error(op.ctx, "the format needs a single attribute of type %s",
                    infoOf(attributeKind(format)).keyword);
  readType = *type;
  readType.count = uint32_t(readFields.size());
  readType.fields = readFields.data();
  row.assign(type->size / 8 + 1, 0);
  return 0;
}

int32_t RowReader::open() {
  supply("FileName", name);
  if (readOptions() || layOut())
    return 1;
  uint32_t bytes = op.desc->outTypes[0]->size;
  if (format == Format::Csv && encoding.empty())
    plain.open(bytes);
  else if (format == Format::Line && encoding.empty() && eol.size() == 1)
    plain.openLines(bytes, eol[0]);
  return 0;
}

/// A tuple literal over several lines that is not whole is parsed again with each piece while it is
/// not longer than that; then when it has grown by an eighth.
static constexpr size_t kOften = 16 * 1024;

//===--- rows -----------------------------------------------------------------===//

void RowReader::begin(std::string_view textName, uint64_t from) {
  name = textName;
  done = from;
  lineNumber = tupleNumber = badRows = emptyNumbers = skipped = made = madeBefore = 0;
  headerLines = allHeaderLines;
  isBegun = isCut = isGivenUp = false;
}

void RowReader::goOn(std::string_view textName) {
  name = textName;
  isCut = isGivenUp = false;
}

RowReader::Progress RowReader::progress() const {
  return {lines.position(), lineNumber, headerLines, tupleNumber, made, lines.isInEnd()};
}

void RowReader::goOn(std::string_view textName, const Progress &from, uint64_t submitted) {
  begin(textName, 0);
  lines.beginAt(from.position, from.inEnd);
  lineNumber = from.lines;
  headerLines = from.headerLines;
  tupleNumber = from.tuples;
  made = from.made;
  madeBefore = submitted;
  isBegun = from.position > 0;
}

LineReader::Status RowReader::next() {
  if (format == Format::Bin)
    return nextItem();
  if (isCut) {
    if (lines.awaitsPiece() && lines.waiting() < enough)
      return LineReader::Status::More;
    line = lines.kept(line.size());
    return LineReader::Status::Line;
  }
  before = 0;
  isPlain = findPlainRows();
  if (isPlain)
    return LineReader::Status::Line;
  return format == Format::Block ? lines.nextBlock(blockSize, line) : lines.next(line);
}

int32_t RowReader::read() {
  if (format == Format::Bin)
    return readItem();
  if (isPlain)
    return readPlainRows();
  bool goesOn = std::exchange(isCut, false);
  ++lineNumber;
  if (!isBegun)
    seeBegin();
  if (lineNumber <= headerLines)
    return readHeader();
  if (!isSingleAttribute(format) && CsvReader::isIgnored(line, !csv.rfc4180, csv.separator))
    return 0;
  return format == Format::Txt ? readTuples() : readRow(goesOn);
}

int32_t RowReader::readHeader() {
  while (csv.rfc4180 && csv.isOpen(line) && closeString()) // a name of several lines
    continue;
  if (isCut)
    keepFrom(0);
  else
    headerLines += countLineEnds(line), lineNumber += countLineEnds(line);
  return 0;
}

/// The row that begins at `from` of the line is to be read when there is more.
void RowReader::keepFrom(size_t from) {
  before = lineBegin(line, from) ? 0 : before + from;
  line.remove_prefix(from);
  lines.keep(line);
  --lineNumber;
  // A tuple literal is parsed again from its beginning.
  bool isLong = format == Format::Txt && line.size() > kOften;
  enough = lines.waiting() + (isLong ? line.size() / 8 : 0);
}

/// The first line, which may tell what the text is, and those of the header are read as such.
bool RowReader::findPlainRows() {
  // Of tuples that are read into a batch all are submitted, as they were read.
  bool asRead =
      !isSupplied && lines.position() >= done && tupleNumber >= skipped && made >= madeBefore;
  return isBegun && lineNumber >= headerLines &&
         plain.find(lines, asRead ? op.batchOf(0) : nullptr);
}

/// Those that were read into the batch.
int32_t RowReader::submitInBatch() {
  PlainRows::Rows taken = plain.takeAll(lines);
  if (taken.emptyNumbers && !emptyNumbers) {
    line = taken.firstEmptyLine;
    csv.parse(line, row.data(), arena); // which was the first
    lineNumber += taken.firstEmpty + 1;
    seeEmpty();
    lineNumber -= taken.firstEmpty + 1;
  }
  emptyNumbers += taken.emptyNumbers;
  lineNumber += taken.count;
  tupleNumber += taken.count;
  made += taken.count;
  return op.submitRows(0, taken.count);
}

/// Until none is at hand, or the program is to end.
int32_t RowReader::readPlainRows() {
  if (plain.inBatch())
    return submitInBatch();
  const bool stops = leavesRest();
  do {
    PlainRows::Row taken = plain.take(lines);
    line = taken.line;
    ++lineNumber;
    ++tupleNumber;
    if (taken.emptyNumbers && !emptyNumbers) // which was the first
      csv.parse(line, row.data(), arena);
    csv.emptyNumbers = taken.emptyNumbers;
    if (int32_t result = submitRow(taken.tuple))
      return result;
    if (int32_t result = isSource() ? sl_save_point(op.ctx) : 0)
      return result;
  } while (plain.hasMore() && !(stops && sl_is_shutdown(op.ctx)));
  return 0;
}

/// `goesOn`: it is read up to the end of the line, in a string of csv.
int32_t RowReader::readRow(bool goesOn) {
  ++tupleNumber;
  ArenaCheckpoint checkpoint = arenaCheckpoint(&arena);
  if (!goesOn)
    firstLine = line.size();
  bool taken = true;
  if (format == Format::Csv) {
    taken = parseRow(goesOn);
  } else {
    Str s = strView(line.data(), line.size());
    memcpy(reinterpret_cast<char *>(row.data()) + readFields[0].offset, &s, sizeof s);
  }
  if (isCut) {
    --tupleNumber;
    keepFrom(0);
  }
  taken = isText(0, line.size()) && taken;
  int32_t result = isCut ? 0 : taken ? submitRow(row.data()) : badRow();
  arenaRelease(&arena, checkpoint);
  if (!isCut && line.size() > firstLine)
    lineNumber += countLineEnds(line);
  return result;
}

LineReader::Status RowReader::nextItem() {
  if (isGivenUp)
    return LineReader::Status::End;
  itemStart = arenaCheckpoint(&arena);
  return binary.next(lines, &readType, row.data(), arena);
}

/// A text that is cut off, or none of the format, is given up.
int32_t RowReader::readItem() {
  using Item = BinReader::Item;
  if (binary.item == Item::Bad) {
    isGivenUp = true;
    firstBad =
        name + ": no tuple of the stream's type begins at byte " + std::to_string(lines.position());
    if (strict)
      return sl_error(op.ctx, "%s", firstBad.c_str());
    badRows = 1;
    sl_leaves_out(op.ctx, op.desc, LeftOut::BadRows, 1);
    return 0;
  }
  bool isTuple = binary.item == Item::Tuple;
  tupleNumber += isTuple;
  csv.delay = binary.delay;
  int32_t result = isTuple ? submitRow(row.data()) : op.submitPunct(0, binary.punctuation());
  arenaRelease(&arena, itemStart);
  return result;
}

bool RowReader::parseRow(bool goesOn) {
  auto parse = [&] {
    bool taken = csv.parse(line, row.data(), arena);
    if (!taken)
      error = csv.error, errorAt = csv.column - 1;
    return taken;
  };
  bool taken = !goesOn && parse();
  if (taken && !csv.hasSurplus)
    return true;
  bool open = goesOn || csv.isOpen(line);
  if (!open)
    return taken;
  while (open && !csv.textBehindQuote && closeString())
    open = csv.isOpen(line);
  if (isCut)
    return false;
  // The quote has no end, or another string begins with it: it spoils one line.
  if ((open || csv.textBehindQuote) && line.size() > firstLine) {
    lines.shorten(line, firstLine);
    line = line.substr(0, firstLine);
  }
  return parse();
}

/// Adds lines until the quoted string that is open at the end of the row is closed.
bool RowReader::closeString() {
  while (line.size() < kMaxRow && addLine())
    if (!csv.staysOpen(line))
      return true;
  return false;
}

/// The text at hand goes on in the next line, if there is one.
bool RowReader::addLine() {
  inRow = true;
  bool isLine = lines.extend(line);
  inRow = false;
  isCut = !isLine && lines.awaitsPiece();
  return isLine;
}

int32_t RowReader::submitRow(void *tuple) {
  if ((done && lines.position() <= done) || tupleNumber <= skipped || ++made <= madeBefore)
    return 0;
  if (csv.emptyNumbers && !emptyNumbers)
    seeEmpty();
  emptyNumbers += csv.emptyNumbers;
  if (isSupplied)
    putSupplied(static_cast<char *>(tuple));
  if (csv.delayField && awaitDelay())
    return 0;
  return op.submit(0, tuple);
}

/// Whether the program ends without the row at hand.
bool RowReader::awaitDelay() {
  inRow = true;
  bool ends = sl_wait(op.ctx, csv.delay);
  inRow = false;
  return ends && mayStop();
}

/// What output functions give.
void RowReader::putSupplied(char *tuple) const {
  for (auto [field, value] : textFields) {
    Str s = strView(value->data(), value->size());
    memcpy(tuple + field->offset, &s, sizeof s);
  }
  for (auto [field, value] : numberFields)
    memcpy(tuple + field->offset, value, sizeof *value);
  for (const Field *field : countFields) // little-endian: the low bytes come first
    memcpy(tuple + field->offset, &tupleNumber, field->type->size);
}

bool RowReader::leavesRest() const {
  return origin == Origin::File && lines.isRegular() && !op.desc->inputs;
}

bool RowReader::mayStop() const { return leavesRest() && sl_is_shutdown(op.ctx); }

} // namespace sluice
