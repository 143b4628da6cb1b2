//===- Placement.cpp - the secondary adjustment: queues --------------------===//
#include "runtime/elastic/Words.h"
#include "runtime/elastic/paper/Coordinator.h"
#include <algorithm>

namespace sluice::elastic::paper {

Decision Coordinator::searchQueues(const Measured &sample) {
  searched.insert(now.threads);
  // A placement that was made for more workers may have too many queues for these.
  Direction direction = last.threads > now.threads ? Direction::Down : Direction::Up;
  auto state = queues.begin(direction, now.queued, sample.throughput, sample.costs);
  return state == QueueSearch::State::Ended ? endSearch(sample) : tryFirst(sample);
}

Decision Coordinator::trial(const Measured &sample) {
  const bool confirmed = queues.confirming();
  const uint32_t before = queues.tried();
  const double reference = queues.throughput();
  switch (queues.measured(sample.throughput, sample.costs)) {
  case QueueSearch::State::Trial:
    return confirmed ? tryFirst(sample) : tryNext(sample, before, reference);
  case QueueSearch::State::Accepted:
    return accept(sample);
  case QueueSearch::State::Ended:
    break;
  }
  return endSearch(sample);
}

//===--- trials ------------------------------------------------------------------===//

/// `heaviest operators` or `lightest operators with a queue`.
std::string Coordinator::operators() const {
  bool one = queues.group().size() == 1;
  std::string result =
      queues.direction() == Direction::Up ? "heaviest operator" : "lightest operator";
  return one ? result + " (" + graph.nodes[queues.group()[0]].name + ")" : result + "s";
}

static const char *verb(const QueueSearch &search) {
  return search.direction() == Direction::Up ? "queue " : "call without a queue ";
}

Decision Coordinator::tryFirst(const Measured &sample) {
  state = State::Trial;
  const size_t group = queues.group().size();
  std::string reason = note + verb(queues) +
                       (group == 1 ? "the " : "all " + std::to_string(group) + " of the ") +
                       operators() + ": does it give more than " + rated(sample.throughput) + "?";
  note.clear();
  Numbers rests = numbers(sample);
  rests.emplace_back("group", group);
  rests.emplace_back("tried", queues.tried());
  return change(Kind::Try, queues.target(), now.threads, std::move(reason), std::move(rests));
}

Decision Coordinator::tryNext(const Measured &sample, uint32_t before, double reference) {
  const uint32_t count = queues.tried();
  const size_t group = queues.group().size();
  std::string reason =
      verb(queues) + std::to_string(count > before ? count - before : before - count) +
      (count > before ? " more" : " fewer") + " of the " + std::to_string(group) + " " +
      operators() + ", " + std::to_string(count) + " in all: " + std::to_string(before) + " gave " +
      compared(sample.throughput, reference);
  Numbers rests = numbers(sample);
  rests.emplace_back("reference", reference);
  rests.emplace_back("group", group);
  rests.emplace_back("triedBefore", before);
  rests.emplace_back("tried", count);
  return change(Kind::Try, queues.target(), now.threads, std::move(reason), std::move(rests));
}

//===--- what comes of them --------------------------------------------------------===//

Decision Coordinator::accept(const Measured &sample) {
  const size_t group = queues.group().size();
  const uint32_t count = queues.kept();
  std::string which =
      group == 1 ? "the " : std::to_string(count) + " of the " + std::to_string(group) + " ";
  std::string reason = "keep it: " + which + operators() +
                       (queues.direction() == Direction::Up ? " with" : " without") +
                       " a queue gave " + rated(queues.throughput()) + ", " +
                       compared(queues.throughput(), queues.before());
  Numbers rests = numbers(sample);
  rests.emplace_back("reference", queues.before());
  rests.emplace_back("best", queues.throughput());
  rests.emplace_back("group", group);
  rests.emplace_back("kept", count);
  return change(Kind::Accept, queues.target(), now.threads, std::move(reason), std::move(rests));
}

/// Keeps what the search that has ended says of later ones.
void Coordinator::remember() {
  if (queues.accepted()) {
    last = {now.threads, queues.throughput(), true, {}};
    if (queues.direction() == Direction::Up)
      levels.forgetAbove(now.threads); // with fewer queues, they mean nothing now
  } else if (last.threads) {
    last.throughput = std::max(last.throughput, queues.throughput());
    last.explored.insert(now.threads);
  } else {
    last = {now.threads, queues.throughput(), false, {}};
  }
}

/// Nothing more pays. Goes on with the number of workers.
Decision Coordinator::endSearch(const Measured &sample) {
  state = State::Level;
  if (queues.accepted() && last.threads && queues.throughput() <= last.throughput)
    return revert(sample);
  remember();
  std::vector<char> target = queues.target();
  if (target == now.queued)
    return level(sample);
  const size_t group = queues.group().size();
  std::string reason = (group == 1 ? "undo that: the "
                                   : "undo that: no number of the " + std::to_string(group) + " ") +
                       operators() + (group == 1 ? " did not give " : " gave ") +
                       percent(options.queues.sens) + " more than " + rated(queues.throughput());
  Numbers rests = numbers(sample);
  rests.emplace_back("reference", queues.throughput());
  rests.emplace_back("group", group);
  return change(Kind::Undo, target, now.threads, std::move(reason), std::move(rests));
}

/// Undoes an adjustment that is not better than the one before it. Otherwise the two could follow
/// each other for ever.
Decision Coordinator::revert(const Measured &sample) {
  Numbers rests = numbers(sample);
  rests.emplace_back("best", queues.throughput());
  rests.emplace_back("lastBest", last.throughput);
  rests.emplace_back("lastThreads", last.threads);
  last.explored.insert(now.threads);
  return change(Kind::Undo, queues.origin(), now.threads,
                "undo all since " + std::to_string(now.threads) + ": " +
                    rated(queues.throughput()) + " is not more than " + rated(last.throughput) +
                    " with " + counted(last.threads, "worker"),
                std::move(rests));
}

} // namespace sluice::elastic::paper
