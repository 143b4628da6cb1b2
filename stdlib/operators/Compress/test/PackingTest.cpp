#include "stdlib/native/pack/Packing.h"
#include <gtest/gtest.h>
#include <string>

using namespace sluice;

namespace {

/// The text in the packing, given and taken in pieces.
std::string packed(Packing packing, std::string_view text, size_t piece, size_t room,
                   bool syncs = false) {
  Packer packer(packing);
  std::string out, taken(room, '\0');
  auto take = [&](Packer::Flush mode) {
    for (size_t size = room; size == room;) {
      size = packer.take(taken.data(), room, mode);
      out.append(taken, 0, size);
    }
  };
  for (size_t at = 0; at < text.size(); at += piece) {
    packer.give(text.substr(at, piece));
    take(syncs ? Packer::Flush::Sync : Packer::Flush::Nothing);
  }
  packer.give({});
  take(Packer::Flush::Finish);
  return out;
}

struct Unpacked {
  std::string text, error;
  bool isWhole = false;
};
Unpacked unpacked(Packing packing, std::string_view bytes, size_t piece, size_t room) {
  Unpacker unpacker(packing);
  Unpacked result;
  std::string taken(room, '\0');
  for (size_t at = 0; at < bytes.size(); at += piece) {
    unpacker.give(bytes.substr(at, piece));
    for (int64_t size = int64_t(room); size == int64_t(room);) {
      size = unpacker.take(taken.data(), room);
      if (size < 0) {
        result.error = unpacker.error();
        return result;
      }
      result.text.append(taken, 0, size_t(size));
    }
  }
  result.isWhole = unpacker.isWhole();
  return result;
}

struct Packings : testing::TestWithParam<Packing> {};
std::string someText() {
  std::string text;
  for (unsigned n = 0, x = 1; n < 20000; ++n, x = x * 1103515245 + 12345)
    text += std::to_string(x >> (n % 24)) + ",";
  return text;
}

} // namespace

TEST_P(Packings, InPiecesOfAnySize) {
  std::string text = someText();
  for (size_t piece : {size_t(7), size_t(4096), text.size()})
    for (size_t room : {size_t(13), size_t(65536)}) {
      std::string bytes = packed(GetParam(), text, piece, room);
      Unpacked back = unpacked(GetParam(), bytes, piece, room);
      EXPECT_EQ(back.error, "");
      EXPECT_TRUE(back.text == text && back.isWhole) << piece << " " << room;
    }
  std::string bytes = packed(GetParam(), text.substr(0, 3000), 100, 50, /*syncs=*/true);
  EXPECT_EQ(unpacked(GetParam(), bytes, 1, 1).text, text.substr(0, 3000));
}

TEST_P(Packings, NothingAndSeveralTextsWithZeros) {
  std::string none = packed(GetParam(), "", 1, 100);
  EXPECT_FALSE(none.empty());
  std::string bytes = packed(GetParam(), "one", 1, 100) + std::string(300, '\0') + none +
                      packed(GetParam(), "two", 1, 100) + std::string(5, '\0');
  for (size_t piece : {size_t(1), size_t(100), bytes.size()}) {
    Unpacked back = unpacked(GetParam(), bytes, piece, 2);
    EXPECT_EQ(back.text + back.error, "onetwo");
    EXPECT_TRUE(back.isWhole);
  }
  EXPECT_TRUE(unpacked(GetParam(), "", 1, 1).isWhole);
}

TEST_P(Packings, CutOffAndDamaged) {
  std::string bytes = packed(GetParam(), "some text, some text", 100, 100);
  for (size_t size = 1; size < bytes.size(); ++size) {
    Unpacked back = unpacked(GetParam(), bytes.substr(0, size), 3, 10);
    EXPECT_EQ(back.error, "");
    EXPECT_FALSE(back.isWhole) << size;
  }
  EXPECT_EQ(unpacked(GetParam(), "plain", 5, 10).error,
            "it is not compressed, or damaged from its beginning on");
  EXPECT_EQ(unpacked(GetParam(), bytes + "plain", 5, 10).error, "the compressed data are damaged");
  bytes[bytes.size() - 6] ^= 1;
  Unpacked back = unpacked(GetParam(), bytes, 100, 10);
  EXPECT_FALSE(back.error.empty() && back.isWhole);
}

INSTANTIATE_TEST_SUITE_P(All, Packings,
                         testing::Values(Packing::Zlib, Packing::Gzip, Packing::Bzip2));
