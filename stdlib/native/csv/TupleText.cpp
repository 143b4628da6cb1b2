//===- TupleText.cpp - tuple literals to tuples ---------------------------===//
#include "stdlib/native/csv/LineEnds.h"
#include "stdlib/native/csv/RowReader.h"

namespace sluice {

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
int32_t RowReader::readTuples() {
  for (size_t at = skipEmpty(line, 0); at < line.size(); at = skipEmpty(line, at)) {
    if (size_t begin = lineBegin(line, at)) { // what was read is not needed any more
      lineNumber += countLineEnds(line.substr(0, begin));
      line.remove_prefix(begin);
      at -= begin;
      before = 0;
    }
    ++tupleNumber;
    ArenaCheckpoint checkpoint = arenaCheckpoint(&arena);
    size_t from = at;
    bool taken = parseTuple(at);
    if (!taken && isCut) {
      arenaRelease(&arena, checkpoint);
      --tupleNumber;
      keepFrom(from);
      return 0;
    }
    if (!isText(from, taken ? at : line.size()))
      taken = false;
    if (!taken)
      for (at = from; at < line.size() && !endsLine(line, at);)
        ++at;
    int32_t result = taken ? submitRow(row.data()) : badRow();
    arenaRelease(&arena, checkpoint);
    if (result || mayStop())
      return result;
  }
  lineNumber += countLineEnds(line);
  return 0;
}

/// Parses the tuple at `at`, which is behind it then; adds lines where it goes on in them.
bool RowReader::parseTuple(size_t &at) {
  for (unsigned more = 1;; more *= 2) {
    isCut = false;
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
    for (unsigned i = 0; isOpen && i < more && line.size() - at < kMaxRow && addLine(); ++i)
      added = true;
    if (!added)
      return false;
  }
}

} // namespace sluice
