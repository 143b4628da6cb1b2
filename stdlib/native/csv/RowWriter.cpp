//===- RowWriter.cpp - tuples as rows of a format -------------------------===//
#include "stdlib/native/csv/RowWriter.h"
#include "runtime/base/os.h"
#include "stdlib/native/csv/BinWriter.h"
#include <algorithm>
#include <utility>

namespace sluice {

static void writeDelay(TextOut &to, const RowStyle &style, double seconds) {
  if (style.format == Format::Bin)
    return writeBin(to, seconds);
  printFloat(to, seconds);
  to.put(',');
}

void writeRow(TextOut &to, const RowStyle &style, const double *delay, const TypeDesc &type,
              TextOut &scratch, const void *tuple) {
  to.floats = scratch.floats = style.floats;
  if (delay)
    writeDelay(to, style, *delay);
  switch (style.format) {
  case Format::Csv:
    writeCsv(to, type.fields, type.count, style.csv, scratch, tuple);
    return to.put('\n');
  case Format::Txt:
    printValue(to, &type, tuple, true);
    return to.put('\n');
  case Format::Bin:
    if (style.marks)
      writeBin(to, BinMark::Tuple);
    return writeBin(to, &type, tuple);
  case Format::Line:
  case Format::Block: {
    auto *bytes = static_cast<const char *>(tuple);
    to.put(viewOf(*reinterpret_cast<const Str *>(bytes + type.fields[0].offset)));
    if (style.format == Format::Line)
      to.put(style.eol);
  }
  }
}

void writeMark(TextOut &to, const RowStyle &style, const double *delay, PunctuationKind kind) {
  to.floats = style.floats;
  if (delay)
    writeDelay(to, style, *delay);
  if (style.format == Format::Bin)
    return writeBin(to, isFinal(kind) ? BinMark::Final : BinMark::Window);
  to.put("Punctuation received: ");
  to.put(kMarkerNames[uint32_t(kind)]);
  to.put('\n');
}

int32_t RowWriter::configure(const ParamOp &op) {
  style.format = formatOf(op.text("format", "csv"));
  style.marks = op.flag("writePunctuations", false) && !isSingleAttribute(style.format);
  style.csv.quoteStrings = op.flag("quoteStrings", true);
  style.csv.rfc4180 = op.text("quoting", "spl") == "rfc4180";
  style.floats = floatTextOf(op.text("floatText", "")).value_or(FloatText::Default);
  delayField = op.flag("hasDelayField", false);
  eol = op.text("eolMarker", "\n");
  style.eol = eol;
  return layOut(op) || op.separator(style.csv.separator);
}

int32_t RowWriter::layOut(const ParamOp &op) {
  type = *op.desc->inTypes[0];
  std::vector<uint32_t> suppressed = op.attributes("suppress");
  for (uint32_t i = 0; i < type.count; ++i)
    if (std::ranges::find(suppressed, i) == suppressed.end() && type.fields[i].name[0] != '$')
      fields.push_back(type.fields[i]);
  type.fields = fields.data();
  type.count = uint32_t(fields.size());
  if (isSingleAttribute(style.format) &&
      (type.count != 1 || fields[0].type->kind != attributeKind(style.format)))
    return sl_error(op.ctx, "the format needs a single attribute of type %s",
                    infoOf(attributeKind(style.format)).keyword);
  return 0;
}

/// The seconds since the tuple before.
double RowWriter::delay(int64_t now) {
  int64_t before = std::exchange(last, now);
  return before < 0 ? 0.0 : double(now - before) / double(os::kNanos);
}

void RowWriter::row(TextOut &to, const void *tuple, int64_t now) {
  double seconds = delayField ? delay(now) : 0;
  writeRow(to, style, delayField ? &seconds : nullptr, type, scratch, tuple);
}

void RowWriter::mark(TextOut &to, PunctuationKind kind, int64_t now) {
  if (!style.marks)
    return;
  double seconds = delayField ? delay(now) : 0;
  writeMark(to, style, delayField ? &seconds : nullptr, kind);
}

} // namespace sluice
