//===- SavedRows.cpp - where a reader of rows is, in a checkpoint ----------===//
#include "stdlib/native/csv/RowReader.h"

namespace sluice {

/// The packings that RowReader::packed names.
static constexpr const char *kPacked[] = {"", "gzip", "bzip2"};

void RowReader::save(Saver &saver) const {
  saver.number("lineNumber", int64_t(lineNumber));
  saver.number("headerLines", int64_t(headerLines));
  saver.number("tupleNumber", int64_t(tupleNumber));
  saver.number("badRows", int64_t(badRows));
  saver.number("emptyNumbers", int64_t(emptyNumbers));
  saver.text("firstBad", firstBad);
  saver.text("firstEmpty", firstEmpty);
  saver.number("isBegun", isBegun);
  saver.number("isWide", isWide);
  saver.text("packed", packed);
  saver.number("isGivenUp", isGivenUp);
  if (!isCut)
    return;
  saver.number("line", int64_t(line.size()));
  saver.number("before", int64_t(before));
  saver.number("firstLine", int64_t(firstLine));
  saver.number("enough", int64_t(enough));
}

void RowReader::restore(const Loader &loader) {
  auto number = [&](const char *name) { return uint64_t(loader.number(name).value_or(0)); };
  auto text = [&](const char *name) { return std::string(loader.text(name).value_or("")); };
  lineNumber = number("lineNumber");
  headerLines = number("headerLines");
  tupleNumber = number("tupleNumber");
  badRows = number("badRows");
  emptyNumbers = number("emptyNumbers");
  firstBad = text("firstBad");
  firstEmpty = text("firstEmpty");
  isBegun = number("isBegun") != 0;
  isWide = number("isWide") != 0;
  for (const char *name : kPacked)
    if (text("packed") == name)
      packed = name;
  isGivenUp = number("isGivenUp") != 0;
  isCut = loader.number("line").has_value();
  if (!isCut)
    return;
  line = lines.kept(number("line")); // which lines.keep() makes stay
  lines.keep(line);
  if (format == Format::Csv)
    csv.isOpen(line); // where staysOpen() goes on
  before = number("before");
  firstLine = number("firstLine");
  enough = number("enough");
}

} // namespace sluice
