//===- Packing.h - compressing and decompressing bytes ----------*- C++ -*-===//
//
// What the parameter `compression` of operators stands for. The bytes are given in pieces; what
// comes of them is taken in pieces of any other sizes.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace sluice {

enum class Packing { None, Zlib, Gzip, Bzip2 };

/// By the word of the parameter; None for any other.
Packing packingOf(std::string_view name);
/// The library that it needs and this system does not have; null if it has it.
const char *missingLibrary(Packing);

/// Compresses. Its library is there.
class Packer {
public:
  /// Nothing: as it sees fit. Sync: all that was given, and more may follow; of bzip2 the last bits
  /// of it may come later. Finish: all, and the end.
  enum class Flush { Nothing, Sync, Finish };

  explicit Packer(Packing);
  ~Packer();
  Packer(const Packer &) = delete;

  /// The bytes stay where they are until take() has put fewer than it had room for.
  void give(std::string_view bytes);
  /// How many bytes it has put there.
  size_t take(char *to, size_t room, Flush);

private:
  struct State;
  std::unique_ptr<State> state;
};

/// Decompresses. Its library is there. Several compressed texts may follow each other, and zeros
/// may stand between them and behind the last one, as they do where files have whole blocks. Of
/// zlib and gzip it takes either.
class Unpacker {
public:
  explicit Unpacker(Packing);
  ~Unpacker();
  Unpacker(const Unpacker &) = delete;

  /// The bytes stay where they are until take() has put fewer than it had room for.
  void give(std::string_view bytes);
  /// How many bytes it has put there; below 0: error().
  int64_t take(char *to, size_t room);
  /// Whether what was given ends where a compressed text does, or there was nothing.
  bool isWhole() const;
  const char *error() const;

private:
  struct State;
  std::unique_ptr<State> state;
};

/// What is wrong with a compressed text that ends where it should not.
constexpr const char *kEndsTooEarly = "the compressed data end too early";

} // namespace sluice
