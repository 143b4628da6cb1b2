#include "stdlib/native/unicode/Converter.h"
#include <gtest/gtest.h>

using namespace sluice;

namespace {

/// The text as UTF-8, given in pieces and taken with that much room.
std::string decoded(const char *encoding, std::string_view bytes, size_t piece, size_t room) {
  Decoder decoder(encoding);
  std::string out, taken(room, '\0');
  for (size_t at = 0; at <= bytes.size(); at += piece) {
    std::string_view part = bytes.substr(at, piece);
    bool isLast = at + piece > bytes.size();
    for (size_t size = 1; size;) {
      size = decoder.take(part, isLast, taken.data(), room);
      out.append(taken, 0, size);
    }
    EXPECT_TRUE(part.empty());
  }
  return out;
}
std::string encoded(Encoder &encoder, std::string_view text, bool goesOn = false) {
  TextOut out;
  encoder.begin(goesOn);
  if (!encoder.put(text, out))
    return encoder.problem();
  encoder.end(out);
  return std::string(out.view());
}

const std::string kWide = "a\u00e9\u20ac\U0001f600z";

} // namespace

TEST(Converter, BothWaysInPieces) {
  std::string text;
  for (int i = 0; i < 3000; ++i)
    text += kWide;
  for (const char *name : {"UTF-8", "UTF-16", "UTF-16BE", "UTF-32LE", "GB18030", "UTF-7"}) {
    Encoder encoder(name);
    std::string bytes = encoded(encoder, text);
    for (size_t piece : {size_t(1), size_t(1000), bytes.size()})
      for (size_t room : {Decoder::kLeastRoom, size_t(100000)})
        EXPECT_TRUE(decoded(name, bytes, piece, room) == text) << name << piece << " " << room;
  }
}

TEST(Converter, WhatIsNoCharacterIsMarked) {
  EXPECT_EQ(decoded("UTF-8",
                    "a\xe9"
                    "b\xc3",
                    1, 100),
            "a\xff"
            "b\xff");
  EXPECT_EQ(decoded("US-ASCII", "\x80\x81x", 10, 64), "\xff\xffx");
  EXPECT_EQ(decoded("UTF-16LE", std::string_view("\x00\xd8\x61\x00\x62", 5), 2, 100), "\xff"
                                                                                      "a\xff");
}

TEST(Converter, WhatTheEncodingLacksIsNamed) {
  Encoder latin("latin1");
  EXPECT_EQ(encoded(latin, "\u00e9"), "\xe9");
  EXPECT_EQ(encoded(latin, "x\u20ac"), "encoding `latin1` has no character U+20AC (\u20ac)");
  EXPECT_EQ(encoded(latin, "\U0001f600"),
            "encoding `latin1` has no character U+1F600 (\U0001f600)");
  EXPECT_EQ(encoded(latin, "x\xff"),
            "the text is not UTF-8, so it cannot be written in encoding `latin1`");
  EXPECT_EQ(encoded(latin, "y"), "y");
}

TEST(Converter, AMarkBeginsATextOnly) {
  Encoder wide("UTF-16");
  std::string bytes = encoded(wide, "a");
  EXPECT_EQ(bytes.size(), 4u);
  EXPECT_EQ(encoded(wide, "a", /*goesOn=*/true), bytes.substr(2));
  EXPECT_EQ(encoded(wide, ""), "");
}

TEST(Converter, Names) {
  EXPECT_EQ(encodingProblem("utf8"), "");
  EXPECT_EQ(encodingProblem("ISO_8859-15"), "");
  for (const char *name : {"", "UTF-9", "/etc/passwd", ",version=1"})
    EXPECT_EQ(encodingProblem(name), std::string("there is no encoding `") + name + "`");
}
