//===- RowReader.cpp - text to tuples -----------------------------------===//
#include "stdlib/native/csv/RowReader.h"
#include "stdlib/native/csv/LineEnds.h"

namespace sluice {

//===--- parameters -----------------------------------------------------------===//

int32_t RowReader::readOptions() {
  std::string formatName = op.text("format", "csv");
  if (op.separator(csv.separator))
    return 1;
  format = formatOf(formatName);
  strict = op.text("parsing", "strict") == "strict";
  csv.extraAllowed = op.flag("ignoreExtraCSVValues", false);
  csv.delayField = op.flag("hasDelayField", false);
  allHeaderLines = uint64_t(op.number("hasHeaderLine", 0));
  csv.rfc4180 = op.text("quoting", "spl") == "rfc4180";
  if (format == Format::Line)
    eol = op.text("eolMarker", "\n");
  if (format == Format::Line && eol.empty())
    return sl_error(op.ctx, "the eolMarker is empty");
  if (csv.delayField && isSingleAttribute(format))
    return sl_error(op.ctx, "format %s has no delay field", formatName.c_str());
  blockSize = uint64_t(op.number("blockSize", 0));
  return 0;
}

/// Decides what is read and what is computed.
int32_t RowReader::layOut() {
  const TypeDesc *type = op.desc->outTypes[0];
  const Param *given = op.param("defaultTuple");
  for (uint32_t i = 0; i < type->count; ++i) {
    const Field &field = type->fields[i];
    std::string function = op.text("$out." + std::string(field.name), "");
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
    return sl_error(op.ctx, "the format needs a single attribute of type %s",
                    infoOf(attributeKind(format)).keyword);
  readType = *type;
  readType.count = uint32_t(readFields.size());
  readType.fields = readFields.data();
  row.assign(type->size / 8 + 1, 0);
  return 0;
}

int32_t RowReader::open() { return readOptions() || layOut(); }

//===--- rows -----------------------------------------------------------------===//

void RowReader::begin(std::string_view textName, uint64_t from) {
  name = textName;
  done = from;
  lineNumber = tupleNumber = badRows = 0;
  headerLines = allHeaderLines;
}

LineReader::Status RowReader::next() {
  return format == Format::Block ? lines.nextBlock(blockSize, line) : lines.next(line);
}

int32_t RowReader::read() {
  if (++lineNumber == 1)
    seeBegin();
  if (lineNumber <= headerLines) {
    while (csv.rfc4180 && csv.isOpen(line) && closeString()) // a name of several lines
      continue;
    headerLines += countLineEnds(line), lineNumber += countLineEnds(line);
    return 0;
  }
  if (!isSingleAttribute(format) && CsvReader::isIgnored(line, !csv.rfc4180, csv.separator))
    return 0;
  return format == Format::Txt ? readTuples() : readRow();
}

int32_t RowReader::readRow() {
  ++tupleNumber;
  ArenaCheckpoint before = arenaCheckpoint(&arena);
  size_t first = line.size();
  bool taken = true;
  if (format == Format::Csv) {
    taken = parseRow();
  } else {
    Str s = strView(line.data(), line.size());
    memcpy(reinterpret_cast<char *>(row.data()) + readFields[0].offset, &s, sizeof s);
  }
  int32_t result = taken ? submitRow() : badRow();
  arenaRelease(&arena, before);
  if (line.size() > first)
    lineNumber += countLineEnds(line);
  return result;
}

bool RowReader::parseRow() {
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
  while (open && !csv.textBehindQuote && closeString())
    open = csv.isOpen(line);
  // The quote has no end, or another string begins with it: it spoils one line.
  if ((open || csv.textBehindQuote) && line.size() > first) {
    lines.shorten(line, first);
    line = line.substr(0, first);
  }
  return parse();
}

/// Adds lines until the quoted string that is open at the end of the row is closed.
bool RowReader::closeString() {
  while (line.size() < kMaxRow && lines.extend(line))
    if (!csv.staysOpen(line))
      return true;
  return false;
}

int32_t RowReader::submitRow() {
  if (lines.position() <= done)
    return 0;
  auto *tuple = reinterpret_cast<char *>(row.data());
  for (const Field *f : nameFields) {
    Str s = strView(name.data(), name.size());
    memcpy(tuple + f->offset, &s, sizeof s);
  }
  for (const Field *f : numberFields) // little-endian: the low bytes come first
    memcpy(tuple + f->offset, &tupleNumber, f->type->size);
  if (csv.delayField && sl_wait(op.ctx, csv.delay))
    return 0;
  return op.submit(0, tuple);
}

} // namespace sluice
