//===- Bowtie.cpp - bucket games played on a modelled device --------------===//
#include "runtime/sim/Bowtie.h"
#include "runtime/external/BucketGame.h"
#include "runtime/sim/Random.h"
#include <algorithm>
#include <numeric>
#include <utility>

namespace sluice::sim {

using namespace external;

/// What moves at once. With so many for each stream, chance makes levels differ by a few percent.
static constexpr uint64_t kUnitsOfStream = 2000;
static constexpr uint64_t kLeastUnits = 1 << 18;

namespace {
class Game {
public:
  Game(double memory, const Stage &stage, const Turn &turn, uint64_t seed)
      : stage(stage), turn(turn),
        units(std::max((stage.inputs + stage.outputs) * kUnitsOfStream, kLeastUnits)),
        unit(memory / double(units)), inputs(stage.inputs, 0),
        outputs(uint32_t(stage.outputs), units, uint32_t(turn.emptied)), random(seed) {
    stagger();
  }
  /// Moves units until an input is empty, then serves the device.
  void play();
  DeviceWork work;

private:
  /// What an input holds after it was refilled.
  uint64_t full() const {
    return uint64_t(bytesOfTurn(double(units), stage, turn) / double(turn.refilled));
  }
  void stagger();
  void empty();
  void refill();

  const Stage &stage;
  const Turn &turn;
  uint64_t units;
  double unit;                  // bytes
  std::vector<uint64_t> inputs; // units, by input
  uint64_t held = 0;            // by all inputs
  BucketGame outputs;
  Random random;
};
} // namespace

void Game::play() {
  for (;;) {
    auto input = random.below(uint32_t(stage.inputs));
    if (!inputs[input])
      break;
    --inputs[input];
    --held;
    outputs.add(random.below(uint32_t(stage.outputs)), 1);
    work.bytes += unit;
  }
  empty();
  refill();
}

void Game::empty() {
  for (uint32_t output : outputs.fullest()) {
    double bytes = double(outputs.empty(output)) * unit;
    work.written += stage.writes ? bytes : 0;
    work.runs += stage.writes;
  }
}

/// Fills inputs as they are in the middle of the game: those that were refilled a turn earlier have
/// a turn less.
void Game::stagger() {
  uint64_t turns = std::max<uint64_t>(stage.inputs / turn.refilled, 1);
  for (uint32_t input = 0; input < inputs.size(); ++input)
    held += inputs[input] = full() * (input % turns + 1) / turns;
}

/// Fills the emptiest inputs up to one level, until they or the memory are full.
void Game::refill() {
  std::vector<uint32_t> order(inputs.size());
  std::iota(order.begin(), order.end(), 0);
  std::partial_sort(order.begin(), order.begin() + int64_t(turn.refilled), order.end(),
                    [&](uint32_t a, uint32_t b) { return inputs[a] < inputs[b]; });
  order.resize(turn.refilled);
  uint64_t room = units - held - outputs.held(), level = room;
  for (uint32_t input : order)
    level += inputs[input];
  level = std::min(level / order.size(), full());
  for (uint32_t input : order) {
    uint64_t more = level > inputs[input] ? std::min(level - inputs[input], room) : 0;
    inputs[input] += more;
    held += more;
    room -= more;
    work.read += stage.reads ? double(more) * unit : 0;
    work.runs += stage.reads;
  }
}

static DeviceWork playBackward(double memory, const Stage &stage, const Turn &turn, uint32_t turns,
                               uint64_t seed) {
  DeviceWork work = playTurns(memory, {stage.outputs, stage.inputs, stage.writes, stage.reads},
                              {turn.emptied, turn.refilled}, turns, seed);
  std::swap(work.read, work.written);
  return work;
}

DeviceWork playTurns(double memory, const Stage &stage, const Turn &turn, uint32_t turns,
                     uint64_t seed) {
  if (stage.inputs > stage.outputs)
    return playBackward(memory, stage, turn, turns, seed);
  Game game(memory, stage, turn, seed);
  // The game is in its cycle when every stream has been served a few times.
  uint64_t cycle = std::max(stage.outputs / turn.emptied, stage.inputs / turn.refilled) + 1;
  for (uint64_t i = 0; i < 4 * cycle; ++i)
    game.play();
  game.work = {};
  for (uint64_t i = 0; i < std::max<uint64_t>(turns, 4 * cycle); ++i)
    game.play();
  return game.work;
}

DeviceWork playEven(double memory, const Stage &stage, uint32_t turns, uint64_t seed) {
  Random random(seed);
  double part = evenRun(memory, stage), unit = part / double(kUnitsOfStream);
  std::vector<uint64_t> inputs(stage.inputs, 0), outputs(stage.outputs, 0);
  DeviceWork work;
  for (double runs = double(turns) * double(stage.inputs + stage.outputs); work.runs < runs;) {
    uint64_t &input = inputs[random.below(uint32_t(stage.inputs))];
    uint64_t &output = outputs[random.below(uint32_t(stage.outputs))];
    if (!input) {
      input = kUnitsOfStream;
      work.read += stage.reads ? part : 0;
      work.runs += stage.reads;
    }
    --input;
    work.bytes += unit;
    if (++output == kUnitsOfStream) {
      output = 0;
      work.written += stage.writes ? part : 0;
      work.runs += stage.writes;
    }
  }
  return work;
}

} // namespace sluice::sim
