//===- Parse.cpp - spl.utility::Parse -------------------------------------===//
//
// The pieces of the text are put together in a LineReader, and what is whole is read. A checkpoint
// has what is not whole yet.
//
//===----------------------------------------------------------------------===//
#include "stdlib/native/csv/RowReader.h"
#include <utility>

namespace sluice {
namespace {

class Parse : public ParamOp {
public:
  int32_t open() override;
  int32_t tuple(uint32_t, const void *) override;
  int32_t punct(uint32_t, PunctuationKind kind) override { return isFinal(kind) ? finish() : 0; }
  Saves saves() const override { return Saves::State; }
  void save(Saver &) override;
  int32_t restore(const Loader &) override;

private:
  int32_t readRows();
  int32_t finish();

  uint32_t offset = 0; // of the blob in a tuple
  LineReader lines{this};
  RowReader rows{*this, lines, RowReader::Origin::Tuples};
  bool isOpen = false;
};

int32_t Parse::open() {
  if (std::exchange(isOpen, true)) // it was restored
    return 0;
  if (rows.open())
    return 1;
  std::vector<uint32_t> chosen = attributes("parseInput");
  offset = desc->inTypes[0]->fields[chosen.empty() ? 0 : chosen[0]].offset;
  lines.openPieces(rows.eolMarker());
  rows.begin("input", 0);
  return 0;
}

int32_t Parse::tuple(uint32_t, const void *tuple) {
  auto *blob = reinterpret_cast<const Str *>(static_cast<const char *>(tuple) + offset);
  if (!lines.add(viewOf(*blob)))
    return sl_error(ctx, "cannot read the input: %s", lines.error().c_str());
  return readRows();
}

int32_t Parse::readRows() {
  while (rows.next() == LineReader::Status::Line) { // else the end, or that of the pieces so far
    int32_t result = rows.read();
    if (result || rows.awaitsMore())
      return result;
  }
  return 0;
}

/// What the program has been told to leave half done is not read, as it may be part of a row.
int32_t Parse::finish() {
  bool stops = sl_is_shutdown(ctx);
  lines.addEnd();
  int32_t result = stops ? 0 : readRows();
  rows.reportBad();
  return result || stops || rows.hasPunctuation() ? result
                                                  : submitPunct(0, PunctuationKind::Window);
}

void Parse::save(Saver &saver) {
  lines.savePieces(saver);
  rows.save(saver);
}

int32_t Parse::restore(const Loader &loader) {
  if (open())
    return 1;
  if (!lines.restorePieces(loader))
    return sl_error(ctx, "cannot read the input: %s", lines.error().c_str());
  rows.restore(loader);
  return 0;
}

RegisterNative registered("spl.utility::Parse", [] { return static_cast<NativeOp *>(new Parse); });

} // namespace
} // namespace sluice
