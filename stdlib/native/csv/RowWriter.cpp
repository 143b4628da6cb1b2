//===- RowWriter.cpp - tuples as rows of a format -------------------------===//
#include "stdlib/native/csv/RowWriter.h"
#include "runtime/base/os.h"
#include <algorithm>

namespace sluice {

int32_t RowWriter::configure(const ParamOp &op) {
  format = formatOf(op.text("format", "csv"));
  delayField = op.flag("hasDelayField", false);
  writeMarks = op.flag("writePunctuations", false) && !isSingleAttribute(format);
  if (isSingleAttribute(format))
    eol = format == Format::Line ? op.text("eolMarker", "\n") : "";
  if (layOut(op))
    return 1;
  CsvStyle style;
  style.quoteStrings = op.flag("quoteStrings", true);
  style.rfc4180 = op.text("quoting", "spl") == "rfc4180";
  if (op.separator(style.separator))
    return 1;
  csv.emplace(fields, style);
  return 0;
}

int32_t RowWriter::layOut(const ParamOp &op) {
  type = *op.desc->inTypes[0];
  std::vector<uint32_t> suppressed = op.attributes("suppress");
  for (uint32_t i = 0; i < type.count; ++i)
    if (std::ranges::find(suppressed, i) == suppressed.end() && type.fields[i].name[0] != '$')
      fields.push_back(type.fields[i]);
  type.fields = fields.data();
  type.count = uint32_t(fields.size());
  if (isSingleAttribute(format) &&
      (type.count != 1 || fields[0].type->kind != attributeKind(format)))
    return sl_error(op.ctx, "the format needs a single attribute of type %s",
                    infoOf(attributeKind(format)).keyword);
  return 0;
}

/// The seconds since the tuple before.
void RowWriter::delay(TextOut &to, int64_t now) {
  printFloat(to, last < 0 ? 0.0 : double(now - last) / double(os::kNanos));
  to.put(',');
  last = now;
}

void RowWriter::row(TextOut &to, const void *tuple, int64_t now) {
  if (delayField)
    delay(to, now);
  if (format == Format::Txt) {
    printValue(to, &type, tuple, true);
  } else if (isSingleAttribute(format)) {
    auto *bytes = static_cast<const char *>(tuple);
    to.put(viewOf(*reinterpret_cast<const Str *>(bytes + fields[0].offset)));
  } else {
    csv->write(to, tuple);
  }
  to.put(eol);
}

void RowWriter::mark(TextOut &to, PunctuationKind kind, int64_t now) {
  if (!writeMarks)
    return;
  if (delayField)
    delay(to, now);
  to.put("Punctuation received: ");
  to.put(kMarkerNames[uint32_t(kind)]);
  to.put('\n');
}

} // namespace sluice
