//===- PlainRows.cpp - rows of common forms to tuples ---------------------===//
#include "stdlib/native/fields/PlainRows.h"
#include "sluice/columns.h"
#include "stdlib/native/fields/PlainFields.h"
#include <algorithm>
#include <bit>

namespace sluice {

/// Bytes whose fields are looked for at once: these and their ends stay in the cache.
static constexpr uint32_t kSpan = 8 * 1024;
/// Bytes of tuples that do.
static constexpr uint32_t kTupleBytes = 16 * 1024;
/// Rows that are converted at once behind one that was refused; then twice as many, and so on.
static constexpr uint32_t kFewRows = 4;

void PlainRows::open(uint32_t tupleBytes) {
  // A separator that may be part of a number does not end it.
  if (csv.delayField || (csv.separator >= '-' && csv.separator <= '9'))
    return;
  for (const CsvReader::Column &c : csv.columns)
    add(c);
  for (uint32_t byte = 0; byte < std::size(isSpecial); ++byte)
    isSpecial[byte] = plain::isSpecial(uint8_t(byte), csv.rfc4180);
  reserve(tupleBytes);
}

void PlainRows::openLines(uint32_t tupleBytes, char end) {
  isLines = true;
  lineEnd = end;
  add(csv.columns[0]);
  columns[0].isRepaired = false;
  columns[0].otherwise = nullptr;
  reserve(tupleBytes);
}

void PlainRows::add(const CsvReader::Column &c) {
  Kind kind = c.type->kind;
  columns.push_back({kind, uint32_t(columns.size()), c.offset, isIn(kind, type_class::String),
                     kind == Kind::UString || c.type->bound, c.otherwise, c.type, 0, nullptr, 0});
  fitsBatches &= isColumn(kind);
}

void PlainRows::reserve(uint32_t tupleBytes) {
  tupleWords = tupleBytes / 8 + 1;
  tuples.resize(tupleWords * std::clamp(kTupleBytes / (8 * tupleWords), 1u, kRows));
  ends.reserve(kSpan);
}

//===--- which rows are at hand -------------------------------------------------===//

bool PlainRows::find(LineReader &lines, Batch *given) {
  if (columns.empty())
    return false;
  bool takesSeveral = given && fitsBatches && NativeOp::roomIn(*given) > 1;
  Batch *to = takesSeveral ? given : nullptr;
  std::string_view bytes = lines.atHand();
  bool isKnown = moves == lines.moves() && bytes.data() >= text && bytes.data() < text + size;
  auto from = isKnown ? uint32_t(bytes.data() - text) : 0;
  bool goesOn = isKnown && next < count && from == begin;
  if (!goesOn && !(isKnown && next == count && gather(from, to))) {
    index(bytes);
    moves = lines.moves();
    gather(0, to);
  }
  if (hasMore())
    return true;
  if (next < count) { // it is refused, and the one behind it may follow
    begin = behind[next++];
    if (batch)
      count = next; // as it may go where those are
  }
  return false;
}

void PlainRows::index(std::string_view bytes) {
  text = bytes.data();
  size = uint32_t(std::min<size_t>(bytes.size(), kSpan));
  if (isLines)
    ends.findLines(text, size, lineEnd);
  else
    ends.find(text, size, csv.separator);
  nextLine = 0;
}

bool PlainRows::isRow(uint32_t first, uint32_t last) const {
  if (isLines)
    return true;
  const char *row = behindEnd(first - 1), *end = at(last);
  return last - first + 1 == columns.size() && (*row != '#' || csv.rfc4180) &&
         (uint8_t(*row) > ' ' || (*row == csv.separator)) &&
         // Whether an \n belongs to an \r is not known before it is there.
         (*end != '\r' || end + 1 < text + size);
}

/// Converts the rows that begin at `from`. False: no line is known that begins there and ends.
bool PlainRows::gather(uint32_t from, Batch *to) {
  const uint32_t most =
      to ? std::min(together, NativeOp::roomIn(*to)) : uint32_t(tuples.size()) / tupleWords;
  while (nextLine < ends.lineCount && ends.ends[ends.lines[nextLine]] < from)
    ++nextLine;
  uint32_t field = nextLine ? ends.lines[nextLine - 1] + 1 : 1;
  count = next = 0;
  begin = firstBegin = from;
  if (nextLine == ends.lineCount || behindEnd(field - 1) != text + from)
    return false;
  while (count < most && nextLine < ends.lineCount && isRow(field, ends.lines[nextLine])) {
    uint32_t last = ends.lines[nextLine];
    bool isPair = !isLines && *at(last) == '\r' && at(last)[1] == '\n';
    first[count] = field;
    behind[count++] = ends.ends[last] + 1 + isPair;
    nextLine += 1 + isPair;
    field = last + 1 + isPair;
  }
  if (count) {
    aim(to);
    convert();
    together = refused ? kFewRows : std::min(2 * together, kRows);
  }
  return true;
}

//===--- where they go ----------------------------------------------------------===//

void PlainRows::aim(Batch *to) {
  batch = to;
  if (to && to->capacity != capacity)
    layOut(to->capacity);
  for (Column &c : columns) {
    c.step = to ? c.type->size : 8 * tupleWords;
    c.to = to ? reinterpret_cast<char *>(to) + c.inBatch + to->rows * c.step
              : reinterpret_cast<char *>(tuples.data()) + c.offset;
  }
}

void PlainRows::layOut(uint32_t rows) {
  capacity = rows;
  uint64_t offset = kBatchHeader;
  for (Column &c : columns) {
    c.inBatch = uint32_t(offset);
    offset = behindColumn(offset, rows, c.type->size);
  }
}

/// Copies what values point to.
void PlainRows::keep(const Column &c, uint32_t rows) {
  for (uint32_t row = 0; row < rows; ++row)
    if (!c.isString || reinterpret_cast<Str *>(c.at(row))->len > Str::kInline)
      sl_batch_keep(batch, c.type, c.at(row));
}

PlainRows::Rows PlainRows::takeAll(LineReader &lines) {
  Rows rows = {std::min(count, uint32_t(std::countr_zero(refused))), 0, 0, {}};
  for (const Column &c : columns)
    if (!c.type->plain)
      keep(c, rows.count);
  for (uint32_t row = 0; row < rows.count; ++row)
    rows.emptyNumbers += uint32_t(emptyNumbers[row]);
  if (rows.emptyNumbers) {
    while (!emptyNumbers[rows.firstEmpty])
      ++rows.firstEmpty;
    rows.firstEmptyLine = lineOf(rows.firstEmpty);
  }
  pass(lines, rows.count);
  return rows;
}

//===--- conversion -------------------------------------------------------------===//

void PlainRows::convert() {
  arenaReset(&arena);
  std::fill_n(emptyNumbers, kRows, 0);
  refused = 0;
  for (const Column &c : columns) {
    for (uint64_t rows = convert(c); rows; rows &= rows - 1) {
      auto row = uint32_t(std::countr_zero(rows));
      refused |= uint64_t(!byField(c, row)) << row;
    }
    if (c.otherwise)
      putDefaults(c);
  }
}

/// Returns the rows whose fields it has not taken, as bits.
uint64_t PlainRows::convert(const Column &c) {
  if (c.isString)
    return strings(c);
  uint64_t left = ~uint64_t(0) >> (kRows - count);
  withNumber(c.kind, [&](auto *number) { left = numbers<__remove_pointer(decltype(number))>(c); });
  return left;
}

// What the loops below read is in local variables: what they store might be a part of *this, for
// all that the compiler knows.

/// Calls take(row, p, size) for the field of each row.
template <typename Take> SLUICE_INLINE void PlainRows::eachField(const Column &c, Take take) const {
  const char *const from = text;
  const uint32_t *const allEnds = ends.ends.data() + c.number;
  const uint32_t rows = count;
  for (uint32_t row = 0; row < rows; ++row) {
    const uint32_t *end = allEnds + first[row];
    uint32_t begin = end[-1] + 1;
    take(row, from + begin, end[0] - begin);
  }
}

uint64_t PlainRows::strings(const Column &c) {
  const bool *const special = isSpecial;
  const bool rfc4180 = csv.rfc4180;
  char *to = c.to;
  const uint32_t bytes = c.step;
  uint64_t left = 0;
  eachField(c, [&](uint32_t row, const char *p, uint32_t n) __attribute__((always_inline)) {
    if (!special[uint8_t(*p)])
      plain::putText(p, n, to);
    else
      left |= uint64_t(!plain::specialText(p, n, rfc4180, to)) << row;
    to += bytes;
  });
  if (c.isRepaired)
    for (uint64_t put = ~left & ~uint64_t(0) >> (kRows - count); put; put &= put - 1)
      textValue(c.type, reinterpret_cast<Str *>(c.at(uint32_t(std::countr_zero(put)))), arena);
  return left;
}

/// Fields of up to eight bytes and a sign become words. Those of whole numbers are put to the end
/// of their words.
template <typename T> PlainRows::Seen PlainRows::readWords(const Column &c) {
  uint32_t longest = 0, negative = 0;
  eachField(c, [&](uint32_t row, const char *p, uint32_t n) __attribute__((always_inline)) {
    uint32_t sign = T(-1) < T(0) && *p == '-';
    n -= sign;
    negative |= sign;
    longest = longest > n ? longest : n;
    n = n > 8 ? 8 : n;
    uint64_t word = load<uint64_t>(p + sign) ^ plain::kZeros;
    uint32_t half = 4 * (8 - n); // bits: all 64 cannot be shifted out at once
    words.word[row] = std::is_integral_v<T> ? word << half << half : word & plain::kLowBytes[n];
    words.behind[row] = plain::kByteEnds[n];
  });
  for (uint32_t row = count; row % 8; ++row) // which are read with them
    words.word[row] = words.behind[row] = 0;
  return {longest > 8, negative != 0};
}

template <typename T>
SLUICE_INLINE void PlainRows::putNumbers(const Column &c, const uint32_t bytes) {
  const uint32_t rows = count;
  char *to = c.to;
  for (uint32_t row = 0; row < rows; ++row, to += bytes)
    if constexpr (std::is_integral_v<T>)
      store(to, T(words.word[row]));
    else // the value of a float32 is never so near to the middle of two that it is rounded twice
      store(to, T(words.value[row]));
}

template <typename T> void PlainRows::putNumbers(const Column &c) {
  if (batch)
    putNumbers<T>(c, sizeof(T)); // a copy, for some types
  else
    putNumbers<T>(c, c.step);
}

/// What putNumbers() has not done right: fields that are longer, of other forms, or too large, and
/// signs.
template <typename T> uint64_t PlainRows::seeAgain(const Column &c) {
  uint64_t left = 0;
  eachField(c, [&](uint32_t row, const char *p, uint32_t n) {
    uint32_t sign = T(-1) < T(0) && *p == '-';
    void *to = c.at(row);
    bool taken = !words.bad[row] && n - sign <= 8 && n >= 2 * sign;
    if constexpr (sizeof(T) < 4)
      taken = taken && words.word[row] <= uint64_t(std::numeric_limits<T>::max());
    if (taken && sign)
      store(to, T(-load<T>(to)));
    left |= uint64_t(!taken) << row;
  });
  return left;
}

template <typename T> uint64_t PlainRows::numbers(const Column &c) {
  Seen seen = readWords<T>(c);
  if (!c.otherwise)
    for (uint32_t row = 0; row < kRows; ++row) // behind `count`, too: all at once
      emptyNumbers[row] += words.behind[row] == plain::kByteEnds[0];
  bool isBad = std::is_integral_v<T> ? readDigits(words, count) : readDecimals(words, count);
  putNumbers<T>(c);
  return isBad || seen.isLong || seen.isNegative || sizeof(T) < 4 ? seeAgain<T>(c) : 0;
}

/// In place of empty fields.
void PlainRows::putDefaults(const Column &c) {
  for (uint32_t row = 0; row < count; ++row)
    if (fieldOf(c, row).empty())
      memcpy(c.at(row), c.otherwise, c.type->size);
}

/// A field in no common form. False: the row is for the reader.
bool PlainRows::byField(const Column &c, uint32_t row) {
  std::string_view field = fieldOf(c, row);
  const char *p = field.data();
  const char *lineEnd = at(first[row] + uint32_t(columns.size()) - 1);
  csv.emptyNumbers = 0;
  bool taken = csv.field(csv.columns[c.number], p, lineEnd, c.at(row), arena);
  emptyNumbers[row] += csv.emptyNumbers;
  return taken && p == field.data() + field.size();
}

} // namespace sluice
