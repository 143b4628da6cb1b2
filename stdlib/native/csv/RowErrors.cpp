//===- RowErrors.cpp - what is said of rows that are bad ------------------===//
#include "runtime/base/text/Words.h"
#include "sluice/leftout.h"
#include "stdlib/native/csv/LineEnds.h"
#include "stdlib/native/csv/RowReader.h"
#include "stdlib/native/unicode/Converter.h"

namespace sluice {

static constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

static constexpr const char *kWideHint =
    " begins as a text in UTF-16 does, which is read with `encoding : \"UTF-16\"`";

/// The compression that a text begins with; empty: none.
static const char *packingOfText(std::string_view text) {
  bool isBzip2 = text.starts_with("BZh") && text.substr(4).starts_with("1AY&SY");
  return text.starts_with("\x1f\x8b") ? "gzip" : isBzip2 ? "bzip2" : "";
}

/// At the first line.
void RowReader::seeBegin() {
  isBegun = true;
  packed = packingOfText(line);
  isWide = encoding.empty() && (line.starts_with("\xff\xfe") || line.starts_with("\xfe\xff"));
  if (isWide && readsText())
    sl_warn(op.ctx, op.desc, "%s%s", name.c_str(), kWideHint);
  if (line.starts_with(kByteOrderMark))
    seeMark();
}

/// Whether anything is a first value.
bool RowReader::readsText() const {
  return format == Format::Line ||
         (format == Format::Csv && csv.columns[0].type->kind == Kind::RString);
}

/// The first line begins with a byte order mark: leaves it out, or says which value gets it.
void RowReader::seeMark() {
  bool isCsv = format == Format::Csv;
  if (isCsv && csv.rfc4180)
    line.remove_prefix(kByteOrderMark.size());
  else if (readsText() && !headerLines) // what is no text is a bad row, which says so
    sl_warn(op.ctx, op.desc,
            "%s begins with a byte order mark, which becomes part of the first value%s",
            name.c_str(), isCsv ? "; `quoting : rfc4180` leaves it out" : "");
}

/// What the text may have that the parameters do not say.
std::string RowReader::csvHint() const {
  if (csv.columns.size() > 1 && line.find(csv.separator) == line.npos)
    for (auto [found, written] : {std::pair(';', ";"), {'|', "|"}, {'\t', "\\t"}, {',', ","}})
      if (line.find(found) != line.npos)
        return std::string("; columns that are separated so are read with `separator : \"") +
               written + "\"`";
  if (origin != Origin::Network && lineNumber == 1 && !headerLines && csv.isHeader(line))
    return "; a line with the names of the columns is left out with `hasHeaderLine : true`";
  return "";
}

/// A byte of the row at hand, which begins with line `lineNumber`.
std::string RowReader::placeOf(size_t at) const {
  size_t begin = lineBegin(line, at);
  return name + ":" + std::to_string(lineNumber + countLineEnds(line.substr(0, begin))) + ":" +
         std::to_string(at - begin + (begin ? 0 : before) + 1);
}

/// The place of the bad row at hand and what is wrong.
std::string RowReader::place() const {
  if (format == Format::Block)
    return name + ": byte " + std::to_string(lines.position() - line.size() + errorAt) +
           " of it as UTF-8: " + error;
  size_t begin = lineBegin(line, errorAt);
  std::string hint;
  if (*packed)
    hint = origin == Origin::File
               ? std::string("; the file looks compressed: read it with `compression : ") + packed +
                     "`"
               : "; the text looks compressed";
  else if (isWide && !readsText()) // else it was said
    hint = std::string("; the text") + kWideHint;
  else if (lineNumber == 1 && errorAt == 0 && line.starts_with(kByteOrderMark))
    hint = std::string(origin == Origin::File ? "; the file" : "; the text") +
           " begins with a byte order mark" +
           (format == Format::Csv ? ", which `quoting : rfc4180` leaves out" : "");
  else if (format == Format::Csv)
    hint = csvHint();
  else if (format == Format::Txt && errorAt == begin && !line.substr(begin).starts_with('{'))
    hint = "; a tuple is written in `{...}`, and lines of text are read with `format : line`";
  return placeOf(errorAt) + ": " + error + hint;
}

/// Whether these bytes of the line were all characters of the encoding. Else it is what is wrong
/// with the row.
bool RowReader::isText(size_t from, size_t to) {
  if (encoding.empty())
    return true;
  size_t at = line.substr(0, to).find(Decoder::kNoCharacter, from);
  if (at == line.npos)
    return true;
  error = "no character of encoding `" + encoding + "` stands here";
  errorAt = at;
  return false;
}

/// The first empty number.
void RowReader::seeEmpty() {
  firstEmpty = placeOf(csv.emptyAt) + " (attribute " + csv.emptyName + ")";
}

int32_t RowReader::badRow() {
  if (strict) {
    sl_error(op.ctx, "%s", place().c_str());
    bool isCaught = op.desc->isCatch && origin == Origin::File;
    return isCaught ? sl_catch(op.ctx, op.desc) : 1;
  }
  if (tupleNumber > skipped)
    sl_leaves_out(op.ctx, op.desc, LeftOut::BadRows, 1);
  if (!badRows++)
    firstBad = place();
  return 0;
}

void RowReader::reportBad() const {
  std::string text;
  if (badRows)
    text = counted(badRows, "bad row") + " left out; the first: " + firstBad;
  if (emptyNumbers)
    text += (badRows ? "; " : "") + counted(emptyNumbers, "empty number") +
            (emptyNumbers == 1 ? " was" : " were") + " read as 0; the first: " + firstEmpty;
  if (!text.empty())
    sl_warn(op.ctx, op.desc, "%s: %s", name.c_str(), text.c_str());
}

} // namespace sluice
