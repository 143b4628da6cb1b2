//===- Converter.h - text in other encodings, in pieces ---------*- C++ -*-===//
//
// Unlike the functions of spl.string, these put no substitute where a character cannot be
// converted.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "stdlib/native/unicode/Icu.h"
#include "value/Text.h"
#include <memory>
#include <string>
#include <string_view>

namespace sluice {

/// Why there is no converter for the encoding; empty: there is one.
std::string encodingProblem(const std::string &encoding);

struct IcuConverterEnd {
  void operator()(IcuConverter *) const;
};
/// One that stops where a character cannot be converted. There is an encoding of that name.
using StrictConverter = std::unique_ptr<IcuConverter, IcuConverterEnd>;

/// Makes UTF-8 of a text in an encoding. The pieces may end within a character.
class Decoder {
public:
  /// What stands for bytes that are no character of the encoding: UTF-8 never has it.
  static constexpr char kNoCharacter = '\xff';
  /// Bytes that take() needs room for.
  static constexpr size_t kLeastRoom = 64;

  explicit Decoder(const std::string &encoding);
  /// A new text.
  void begin();
  /// How many bytes it has put there; `from` becomes what it has not read yet. 0: it has read all,
  /// and if the piece is the last one, it may begin another text.
  size_t take(std::string_view &from, bool isLast, char *to, size_t room);

private:
  char *put(char *to, const char16_t *from, const char16_t *end);

  StrictConverter converter;
  char16_t high = 0; // the first half of a pair whose second one is to come
};

/// Makes a text in an encoding of UTF-8.
class Encoder {
public:
  explicit Encoder(const std::string &encoding);
  /// A new text. `goesOn`: it stands behind lines that are there already.
  void begin(bool goesOn);
  /// Appends. False: some of it has no place in the encoding, as problem() says; what was before
  /// that has been appended.
  bool put(std::string_view text, TextOut &to);
  /// Appends what ends a text.
  void end(TextOut &to);
  const std::string &problem() const { return message; }

private:
  bool putUnits(const char16_t *from, const char16_t *end, bool isLast, TextOut &to);
  std::string refused() const;

  StrictConverter converter;
  std::string name, message;
};

} // namespace sluice
