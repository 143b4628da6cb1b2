//===- BinWriter.h - values in the format bin -------------------*- C++ -*-===//
//
// Numbers are big-endian, decimals little-endian and densely packed; attributes stand one after the
// other. A length is a byte, if that is less than 128, else the byte 0x80 and an uint32; that of a
// blob is an uint64. An rstring has its bytes behind its length, an ustring UTF-16, a collection
// its elements. One with a bound has its whole capacity there, filled up with zeros, and a string
// one byte more; but for sets and maps. An optional begins with a boolean. An enum is the index of
// its member.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "value/Text.h"

namespace sluice {

/// What stands before a tuple or in place of one, where punctuation is written.
enum class BinMark : uint8_t { Tuple, Window, Final };

void writeBin(TextOut &, const TypeDesc *, const void *value);
inline void writeBin(TextOut &to, BinMark mark) { to.put(char(mark)); }
void writeBin(TextOut &, double);

} // namespace sluice
