// Large tables that are saved while they change.
#include "value/blocks/Blocks.h"
#include "../value/Types.h"
#include "runtime/exec/files/BlockSaving.h"
#include "runtime/exec/saved/SavedValue.h"
#include "sluice/saved.h"
#include "value/Place.h"
#include <atomic>
#include <filesystem>
#include <gtest/gtest.h>
#include <random>
#include <thread>
#include <unistd.h>

using namespace sluice;
using namespace sluice::checkpoint;
using namespace sluice::test;

namespace {
const TypeDesc words = listOf(&test::rstring);
const TypeDesc plain = mapOf(&test::int64, &test::int64),
               padded = mapOf(&test::int32, &test::int64),
               texts = mapOf(&test::int64, &test::rstring), byWord = mapOf(&test::rstring, &words),
               numbers = setOf(&test::int64);

struct Place {
  std::string path;
  Place() : path(std::string(testing::TempDir()) + "/blocks-" + std::to_string(getpid())) {
    std::filesystem::remove_all(path);
  }
  ~Place() { std::filesystem::remove_all(path); }
};

/// A table that is changed at random.
struct Random {
  World world;
  const TypeDesc *type;
  Seq table = {};
  std::mt19937_64 random;
  uint64_t keys;

  Random(const TypeDesc *type, uint64_t seed, uint64_t keys)
      : type(type), random(seed), keys(keys) {}
  ~Random() { disown(world.ctx.heap, type, &table); }

  uint64_t below(uint64_t n) { return random() % n; }
  std::string text(uint64_t n) { return "a word, which is " + std::string(n % 30, 'o') + "long"; }

  template <typename F> auto withKey(F f) {
    const uint64_t n = below(keys);
    if (type->elem == &test::rstring) {
      std::string word = "key " + std::to_string(n) + std::string(n % 13, '.');
      Str key = str(word);
      return f(&key);
    }
    return f(&n); // of any width
  }
  void setValue(uint32_t slot) {
    char *value = elementAt(type, &table, slot) + type->valueOffset;
    const uint64_t n = below(1000);
    std::string word = text(n);
    Str from = str(word);
    if (type->value == &test::int64)
      store(value, n);
    else if (type->value == &test::rstring)
      sl_assign(world, &test::rstring, value, &from);
    else if (type->value && reinterpret_cast<Seq *>(value)->len > 5)
      placeClear(world.ctx.heap, &words, reinterpret_cast<Seq *>(value));
    else if (type->value)
      placePush(world.ctx.heap, &words, reinterpret_cast<Seq *>(value), &from);
  }
  void change() {
    const uint64_t what = below(20'000);
    Heap *heap = world.ctx.heap;
    if (what == 0) {
      placeClear(heap, type, &table);
    } else if (what == 1) { // another one, of half of the entries
      Seq other = {};
      for (uint32_t i = 0; i < table.len; i += 2) {
        bool added;
        tableSlot(heap, type, &other, elementAt(type, &table, i), &added);
      }
      sl_assign(world, type, &table, &other);
      disown(heap, type, &other);
    } else if (what < 4000) {
      uint32_t slot = withKey([&](const void *key) { return tableFind(type, &table, key); });
      if (slot != kNoSlot)
        tableRemove(heap, type, &table, slot);
    } else if (what < 8000) {
      withKey([&](const void *key) { return tableFind(type, &table, key); });
      uint32_t slot =
          withKey([&](const void *key) { return tableFindToChange(type, &table, key); });
      if (slot != kNoSlot)
        setValue(slot);
    } else if (what < 9000 && table.len) {
      const auto slot = uint32_t(below(table.len));
      tableChange(&table, slot);
      setValue(slot);
    } else {
      bool added;
      uint32_t slot =
          withKey([&](const void *key) { return tableSlot(heap, type, &table, key, &added); });
      setValue(slot);
    }
  }
  void change(uint64_t count) {
    for (uint64_t i = 0; i < count; ++i)
      change();
  }
  std::vector<char> whole() {
    std::vector<char> bytes;
    Saver(bytes).value("table", type, &table);
    return bytes;
  }
};

/// Makes checkpoints of a table.
struct Saves {
  Place place;
  Directory directory{place.path};
  BlockSaving saving{directory, -1, 1};
  uint64_t number = 0;
  uint64_t written = 0; // bytes of the last one

  Saves() { EXPECT_EQ(directory.lock(), ""); }

  std::vector<Section> take(Random &from) {
    Section section{"Op", {}};
    saving.begin(++number);
    if (!saving.take(section.bytes, "Op", "table", from.type, {&from.table}))
      Saver(section.bytes).value("table", from.type, &from.table); // an empty one
    return {section};
  }
  std::string write(const std::vector<Section> &sections) {
    Manifest manifest;
    manifest.number = number;
    manifest.files.push_back({.name = "state"});
    std::string wrong = directory.begin(number);
    if (wrong.empty())
      wrong = directory.write(number, sections, manifest.files.front());
    if (wrong.empty())
      wrong = saving.write(manifest.files);
    if (wrong.empty())
      wrong = directory.complete(manifest);
    written = 0;
    for (const Manifest::File &file : manifest.files)
      written += file.isLinked ? 0 : file.bytes;
    return wrong;
  }
  std::vector<char> read() {
    Manifest manifest;
    std::vector<Section> sections;
    EXPECT_EQ(directory.read(number, manifest, sections), "");
    return sections.empty() ? std::vector<char>() : sections[0].bytes;
  }
};

/// Each checkpoint is what the table was when it was taken, however it has changed since.
void compare(const TypeDesc &type, uint64_t seed, uint64_t keys) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  Random table(&type, seed, keys);
  Saves saves;
  table.change(4 * keys);
  for (int i = 0; i < 25; ++i) {
    table.change(table.below(3) ? table.below(200) : table.below(2 * keys));
    const std::vector<char> wanted = table.whole();
    const std::vector<Section> sections = saves.take(table);
    const bool isLost = table.below(8) == 0;
    std::atomic<bool> isOver{false};
    std::string wrong;
    std::thread saver([&] {
      if (isLost)
        saves.saving.letGo();
      else
        wrong = saves.write(sections);
      isOver.store(true, std::memory_order_release);
    });
    do
      table.change(100);
    while (!isOver.load(std::memory_order_acquire));
    saver.join();
    ASSERT_EQ(wrong, "");
    if (isLost)
      continue;
    saves.saving.commit();
    ASSERT_TRUE(saves.read() == wanted) << "checkpoint " << saves.number;
    ASSERT_EQ(saves.directory.keep(2), "");
    ASSERT_TRUE(saves.read() == wanted) << "checkpoint " << saves.number << " alone";
  }
}

TEST(Blocks, OfNumbersAreWhatTheyWere) {
  for (uint64_t seed : {1, 2, 3})
    compare(plain, seed, 20'000);
}
TEST(Blocks, OfEntriesWithGapsAreWhatTheyWere) { compare(padded, 4, 20'000); }
TEST(Blocks, OfTextsAreWhatTheyWere) {
  for (uint64_t seed : {5, 6, 7})
    compare(texts, seed, 10'000);
}
TEST(Blocks, OfListsAreWhatTheyWere) { compare(byWord, 8, 5'000); }
TEST(Blocks, OfSetsAreWhatTheyWere) { compare(numbers, 9, 20'000); }
TEST(Blocks, OfFewEntriesAreWhatTheyWere) { compare(plain, 10, 70); }

/// A program of whose state little changes writes little.
TEST(Blocks, OnlyWhatHasChangedIsWritten) {
  Random table(&plain, 1, 100'000);
  Saves saves;
  for (int64_t key = 0; key < 100'000; ++key) {
    bool added;
    store(elementAt(&plain, &table.table,
                    tableSlot(table.world.ctx.heap, &plain, &table.table, &key, &added)) +
              plain.valueOffset,
          key);
  }
  std::vector<uint64_t> bytes;
  for (int i = 0; i < 12; ++i) {
    std::vector<Section> sections = saves.take(table);
    ASSERT_EQ(saves.write(sections), "");
    saves.saving.commit();
    ASSERT_TRUE(saves.read() == table.whole()) << i;
    bytes.push_back(saves.written);
    for (int64_t key = 0; key < 640; ++key) { // 10 blocks
      const auto slot = tableFindToChange(&plain, &table.table, &key);
      store(elementAt(&plain, &table.table, slot) + plain.valueOffset, key + i);
      EXPECT_EQ(tableFind(&plain, &table.table, &key), slot);
    }
  }
  for (size_t i = 0; i < bytes.size(); ++i) // after eight files all is written again
    EXPECT_EQ(bytes[i] > 1'600'000, i % 8 == 0) << i << ": " << bytes[i] << " bytes";
  EXPECT_LT(bytes[1], 20'000u);
}

/// The key that was found last is looked up without the index.
TEST(Blocks, WhatWasFoundBeforeACutIsSavedBeforeItChanges) {
  Random table(&plain, 1, 1000);
  Saves saves;
  table.change(10'000);
  const auto key = load<int64_t>(elementAt(&plain, &table.table, 70));
  for (int64_t i = 0; i < 3; ++i) {
    const std::vector<char> wanted = table.whole();
    const std::vector<Section> sections = saves.take(table);
    const auto slot = tableFindToChange(&plain, &table.table, &key);
    store(elementAt(&plain, &table.table, slot) + plain.valueOffset, i);
    ASSERT_EQ(saves.write(sections), "");
    saves.saving.commit();
    ASSERT_TRUE(saves.read() == wanted) << i;
  }
}

/// The last entry takes the place of one that is removed.
TEST(Blocks, RemovingChangesTwoBlocks) {
  Random table(&plain, 1, 1000);
  Saves saves;
  table.change(10'000);
  for (int i = 0; i < 3; ++i) {
    const std::vector<char> wanted = table.whole();
    ASSERT_EQ(saves.write(saves.take(table)), "");
    saves.saving.commit();
    ASSERT_TRUE(saves.read() == wanted) << i;
    tableRemove(table.world.ctx.heap, &plain, &table.table, 0);
  }
}

/// Reading is no change, whether or not somebody has just found the same key to read it.
TEST(Blocks, ReadingChangesNothing) {
  Random table(&plain, 1, 1000);
  Saves saves;
  table.change(10'000);
  for (int i = 0; i < 2; ++i) {
    saves.take(table);
    ASSERT_EQ(saves.directory.begin(saves.number), "");
    std::vector<Manifest::File> files;
    ASSERT_EQ(saves.saving.write(files), "");
    saves.saving.commit();
    ASSERT_EQ(files.size(), 1u);
    EXPECT_EQ(files[0].isLinked, i != 0);
    for (int64_t key = 0; key < 1000; ++key)
      tableFind(&plain, &table.table, &key);
  }
}

/// A change to one byte of the file is noticed, and so is a file that is missing.
TEST(Blocks, EachChangedByteIsNoticed) {
  Random table(&plain, 1, 80);
  Saves saves;
  table.change(400);
  ASSERT_EQ(saves.write(saves.take(table)), "");
  const std::string path = saves.directory.folder(1) + "/blocks.1";
  std::string whole;
  auto put = [&](const std::string &bytes) {
    FILE *file = fopen(path.c_str(), "wb");
    fwrite(bytes.data(), 1, bytes.size(), file);
    fclose(file);
  };
  auto wrong = [&] {
    Manifest manifest;
    std::vector<Section> sections;
    return saves.directory.read(1, manifest, sections);
  };
  FILE *file = fopen(path.c_str(), "rb");
  for (int c; (c = fgetc(file)) != EOF;)
    whole += char(c);
  fclose(file);
  ASSERT_EQ(wrong(), "");
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = char(changed[at] ^ 4);
    put(changed);
    ASSERT_NE(wrong(), "") << at;
  }
  put(whole.substr(0, whole.size() - 1));
  EXPECT_NE(wrong(), "");
  std::filesystem::remove(path);
  EXPECT_NE(wrong(), "");
}
} // namespace
