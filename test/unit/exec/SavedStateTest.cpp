// State as bytes.
#include "runtime/exec/saved/SavedState.h"
#include "../value/Types.h"
#include "runtime/exec/saved/SavedValue.h"
#include "value/Place.h"
#include "value/Table.h"
#include <cstring>
#include <gtest/gtest.h>

using namespace sluice;
using namespace sluice::test;

namespace {
const TypeDesc words = listOf(&test::rstring);
const TypeDesc byWord = mapOf(&test::rstring, &words);
const TypeDesc numbers = setOf(&test::int64);

/// An operator with three state variables.
struct State {
  World world;
  struct {
    Seq byWord = {}, numbers = {};
    int32_t count = 7;
  } vars;
  StateDesc states[3] = {{0, &::byWord, "byWord"},
                         {sizeof(Seq), &::numbers, "n"},
                         {2 * sizeof(Seq), &test::int32, "n"}};
  OperatorDesc op = {};

  State() {
    world.ctx.state = reinterpret_cast<char *>(&vars);
    op.name = "Op";
    op.states = states;
    op.stateCount = 3;
  }
  ~State() {
    disown(world.ctx.heap, &::byWord, &vars.byWord);
    disown(world.ctx.heap, &::numbers, &vars.numbers);
  }
  void fill(int64_t entries) {
    for (int64_t i = 0; i < entries; ++i) {
      bool added;
      tableSlot(world.ctx.heap, &::numbers, &vars.numbers, &i, &added);
      std::string text = "a word that is long enough, number " + std::to_string(i);
      Str word = strView(text.data(), i % 2 ? text.size() : 3);
      uint32_t slot = tableSlot(world.ctx.heap, &::byWord, &vars.byWord, &word, &added);
      placePush(
          world.ctx.heap, &words,
          reinterpret_cast<Seq *>(elementAt(&::byWord, &vars.byWord, slot) + ::byWord.valueOffset),
          &word);
    }
  }
  std::vector<char> save() {
    std::vector<char> bytes;
    Saver saver(bytes);
    saveState(saver, op, world.ctx.state);
    return bytes;
  }
  /// The names of variables that cannot be read.
  std::vector<std::string> restore(const std::vector<char> &bytes) {
    return restoreState(world.ctx, op, Loader({bytes.data(), bytes.size()}));
  }
};

TEST(SavedState, IsRestored) {
  State from, to;
  from.fill(1000); // enough for an index
  to.fill(3);
  to.vars.count = 1;
  std::vector<char> bytes = from.save();
  ASSERT_TRUE(to.restore(bytes).empty());
  EXPECT_EQ(to.vars.count, 7);
  EXPECT_EQ(to.vars.numbers.len, 1000u);
  EXPECT_EQ(to.save(), bytes);
  int64_t key = 700;
  EXPECT_EQ(tableFind(&numbers, &to.vars.numbers, &key), 700u);
}

TEST(SavedState, ManyTimes) {
  State state;
  for (int i = 1; i < 40; ++i) {
    state.fill(i);
    saveAndRestore(state.world.ctx, state.op);
    EXPECT_EQ(state.vars.numbers.len, uint32_t(i));
  }
}

/// The checksum of its section would have failed before; but nothing is read beyond the bytes.
TEST(SavedState, ThatIsCutOffOrChangedIsReadNoFurther) {
  State from;
  from.fill(4);
  std::vector<char> bytes = from.save();
  for (size_t size = 0; size < bytes.size(); ++size)
    State().restore({bytes.begin(), bytes.begin() + ptrdiff_t(size)});
  for (size_t at = 0; at < bytes.size(); ++at) {
    std::vector<char> changed = bytes;
    changed[at] = char(changed[at] ^ 16);
    State().restore(changed);
  }
}

TEST(SavedState, OfOtherTypesIsRefused) {
  State from, to;
  to.states[2].type = &test::uint32;
  EXPECT_EQ(to.restore(from.save()), std::vector<std::string>{"n#2"});
  EXPECT_EQ(to.vars.count, 0);
}

TEST(SavedState, ThatIsNotThereStaysAsItIs) {
  State from, to;
  to.states[2].name = "other";
  from.vars.count = 1;
  EXPECT_TRUE(to.restore(from.save()).empty());
  EXPECT_EQ(to.vars.count, 7);
}

/// Any bytes: it says no, and reads and writes nothing beyond them.
TEST(SavedState, ValuesAreRestoredFromBytesWithoutAHeaderThatVouchesForThem) {
  State state;
  state.fill(4);
  std::vector<char> bytes;
  saveValue(bytes, &byWord, &state.vars.byWord);
  for (size_t size = 0; size < bytes.size(); ++size)
    for (char change : {0, 1, -128}) {
      std::vector<char> some(bytes.begin(), bytes.begin() + ptrdiff_t(size));
      if (size)
        some[size / 2] = char(some[size / 2] ^ change);
      SavedBytes from{some.data(), some.data() + some.size()};
      Seq place = {};
      restoreValue(state.world.ctx.heap, from, &byWord, &place);
      EXPECT_LE(from.at, from.end);
      disown(state.world.ctx.heap, &byWord, &place);
    }
}

/// With an index and without.
TEST(SavedState, AKeyThatIsThereTwiceIsRefused) {
  for (int64_t count : {2, 5, 15, 16, 17, 1000}) {
    State state;
    state.fill(count);
    std::vector<char> bytes;
    saveValue(bytes, &numbers, &state.vars.numbers);
    auto isRestored = [&] {
      SavedBytes from{bytes.data(), bytes.data() + bytes.size()};
      Seq place = {};
      bool good = restoreValue(state.world.ctx.heap, from, &numbers, &place);
      for (int64_t i = 0; good && i < count; ++i)
        EXPECT_NE(tableFind(&numbers, &place, &i), kNoSlot);
      disown(state.world.ctx.heap, &numbers, &place);
      return good;
    };
    EXPECT_TRUE(isRestored());
    memcpy(&bytes[bytes.size() - sizeof(int64_t)], &bytes[sizeof(uint32_t)], sizeof(int64_t));
    EXPECT_FALSE(isRestored()) << count;
  }
}
} // namespace
