//===- CsvWriter.cpp - tuples as rows of CSV ------------------------------===//
#include "stdlib/native/csv/CsvWriter.h"

namespace sluice {

/// RFC 4180 puts into double quotes what would not be one field without them, and doubles those
/// inside. Strings always are, unless quoteStrings is false.
static bool needsQuotes(std::string_view text, char separator) {
  if (text.empty())
    return false;
  bool needs = text.front() == ' ' || text.back() == ' ';
  for (char c : text) // to the end, as vectors do that
    needs |= c == separator || c == '"' || c == '\n' || c == '\r';
  return needs;
}

/// Whether the text of a number or a boolean may have the character in it.
static bool mayBeInWord(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-' || c == '+' || c == '.';
}

static void putQuoted(TextOut &to, std::string_view text) {
  to.put('"');
  for (size_t at; (at = text.find('"')) != text.npos; text.remove_prefix(at + 1)) {
    to.put(text.substr(0, at + 1));
    to.put('"');
  }
  to.put(text);
  to.put('"');
}

/// A field as RFC 4180 has it. `isOnly`: the row has no others.
static void writeQuoted(TextOut &to, const TypeDesc *type, const CsvStyle &style, bool isOnly,
                        TextOut &scratch, const void *value) {
  if (isIn(type->kind, type_class::String)) {
    std::string_view text = viewOf(*static_cast<const Str *>(value));
    bool blankRow = text.empty() && isOnly; // readers leave it out
    bool quotes = style.quoteStrings || blankRow || needsQuotes(text, style.separator);
    return quotes ? putQuoted(to, text) : to.put(text);
  }
  size_t from = to.size;
  printValue(to, type, value, false);
  std::string_view text = to.view().substr(from);
  if (!needsQuotes(text, style.separator))
    return;
  scratch.clear();
  scratch.put(text);
  to.size = from;
  putQuoted(to, scratch.view());
}

void writeCsv(TextOut &to, const Field *fields, size_t count, const CsvStyle &style,
              TextOut &scratch, const void *tuple) {
  // Numbers are in no quotes but where a separator may be in them. Where they end is not stored in
  // between, as the next one would wait for that.
  const bool plainNumbers = !style.rfc4180 || !mayBeInWord(style.separator);
  auto roomFor = [&](size_t more) { return to.reserve(more * (kNumberRoom + 1)); };
  char *p = roomFor(count);
  for (size_t i = 0; i < count; ++i) {
    if (i)
      *p++ = style.separator;
    const TypeDesc *type = fields[i].type;
    const void *value = static_cast<const char *>(tuple) + fields[i].offset;
    if (char *end = plainNumbers ? putNumber(p, type->kind, value) : nullptr) {
      p = end;
      continue;
    }
    to.size = size_t(p - to.data);
    if (style.rfc4180)
      writeQuoted(to, type, style, count == 1, scratch, value);
    else
      printValue(to, type, value, style.quoteStrings);
    p = roomFor(count - i);
  }
  to.size = size_t(p - to.data);
}

} // namespace sluice
