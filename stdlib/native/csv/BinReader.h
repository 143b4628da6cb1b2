//===- BinReader.h - values in the format bin -------------------*- C++ -*-===//
#pragma once
#include "memory/Arena.h"
#include "sluice/value.h"
#include "stdlib/native/csv/LineReader.h"

namespace sluice {

/// How reading a value has ended: More, the bytes end before it does; Bad, it is none of its type.
enum class BinResult { Done, More, Bad };
/// Reads a value as writeBin() writes it, and sets p behind it. Texts are views of the bytes.
BinResult readBin(const char *&p, const char *end, const TypeDesc *, void *out, Arena &);

/// Reads the tuples of a file of the format, and its punctuation if that was written.
class BinReader {
public:
  enum class Item { Tuple, Window, Final, Bad };

  bool marks = false, delayField = false;
  double delay = 0; // before the item, in seconds
  Item item = Item::Bad;
  /// The next item, if the status is Line; a tuple is written to `row`. Bad: the rest of the file
  /// cannot be read.
  LineReader::Status next(LineReader &, const TypeDesc *, void *row, Arena &);
  /// What the item is, if it is no tuple.
  PunctuationKind punctuation() const {
    return item == Item::Final ? PunctuationKind::Final : PunctuationKind::Window;
  }

private:
  BinResult read(const char *&p, const char *end, const TypeDesc *, void *row, Arena &);
};

} // namespace sluice
