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

void CsvWriter::writeField(TextOut &to, const Field &f, const void *value) {
  if (!style.rfc4180)
    return printValue(to, f.type, value, style.quoteStrings);
  scratch.clear();
  printValue(scratch, f.type, value, false);
  bool isString = isIn(f.type->kind, type_class::String);
  bool blankRow = !scratch.size && fields.size() == 1; // readers leave it out
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

void CsvWriter::write(TextOut &to, const void *tuple) {
  auto *bytes = static_cast<const char *>(tuple);
  for (size_t i = 0; i < fields.size(); ++i) {
    if (i)
      to.put(style.separator);
    writeField(to, fields[i], bytes + fields[i].offset);
  }
}

} // namespace sluice
