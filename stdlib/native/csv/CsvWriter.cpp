//===- CsvWriter.cpp - tuples as rows of CSV ------------------------------===//
#include "stdlib/native/csv/CsvWriter.h"

namespace sluice {

/// RFC 4180 puts into double quotes what would not be one field without them, and doubles those
/// inside. Strings always are, unless quoteStrings is false.
static bool needsQuotes(std::string_view text, char separator) {
  char special[] = {separator, '"', '\n', '\r'};
  return text.find_first_of({special, sizeof special}) != text.npos ||
         (!text.empty() && (text.front() == ' ' || text.back() == ' '));
}

/// A field as RFC 4180 has it. `isOnly`: the row has no others.
static void writeQuoted(TextOut &to, const Field &f, const CsvStyle &style, bool isOnly,
                        TextOut &scratch, const void *value) {
  scratch.clear();
  printValue(scratch, f.type, value, false);
  bool isString = isIn(f.type->kind, type_class::String);
  bool blankRow = !scratch.size && isOnly; // readers leave it out
  if (!(isString && (style.quoteStrings || blankRow)) &&
      !needsQuotes(scratch.view(), style.separator))
    return to.put(scratch.view());
  to.put('"');
  for (char c : scratch.view()) {
    to.put(c);
    if (c == '"')
      to.put(c);
  }
  to.put('"');
}

void writeCsv(TextOut &to, const Field *fields, size_t count, const CsvStyle &style,
              TextOut &scratch, const void *tuple) {
  for (size_t i = 0; i < count; ++i) {
    if (i)
      to.put(style.separator);
    const void *value = static_cast<const char *>(tuple) + fields[i].offset;
    if (style.rfc4180)
      writeQuoted(to, fields[i], style, count == 1, scratch, value);
    else
      printValue(to, fields[i].type, value, style.quoteStrings);
  }
}

} // namespace sluice
