//===- nexmark.cpp - W7 by hand, one thread -------------------------------===//
//
// nexmark QUERY COUNT: queries 0, 1, 2, 3, 5, 7 and 8 of Nexmark over generated events, 10,000 of
// them in a second of event time. Of 50 events one is a person, three are auctions, the rest bids.
#include "workload.h"
#include <algorithm>
#include <bit>
#include <cstdlib>

using namespace bench;

namespace {
enum Kind { Person, Auction, Bid };

struct Event {
  Kind kind;
  uint64_t ms;
  uint64_t id;               // of a bid that of the auction
  uint64_t state;            // of a person: 0 to 5
  uint64_t seller, category; // of an auction
  uint64_t price;            // of a bid
};

Event eventOf(uint64_t n) {
  const uint64_t epoch = n / 50, place = n % 50;
  uint64_t random = n * 8;
  const uint64_t r = splitmix(random), q = splitmix(random);
  Event e = {};
  e.ms = n / 10;
  if (place == 0) {
    e.kind = Person;
    e.id = epoch;
    e.state = r % 6;
  } else if (place < 4) {
    e.kind = Auction;
    e.id = epoch * 3 + place - 1;
    e.seller = epoch - std::min(epoch, r % 100);
    e.category = 10 + q % 5;
  } else {
    const uint64_t last = epoch * 3 + 2;
    e.kind = Bid;
    e.id = r & 1 ? last / 100 * 100 : last - std::min(last, (r >> 8) % 100);
    e.price = 100 + (q >> 20) % 10000000;
  }
  return e;
}

/// Open addressing, at most half full. `clear` takes as long as there are entries.
template <class Value> class Map {
public:
  Value *find(uint64_t key) {
    size_t slot = place(key);
    return slots[slot] ? &entries[slots[slot] - 1].second : nullptr;
  }
  Value &operator[](uint64_t key) {
    size_t slot = place(key);
    if (!slots[slot]) {
      entries.push_back({key, Value()});
      slots[slot] = uint32_t(entries.size());
      if (entries.size() * 2 > slots.size())
        grow();
      return entries.back().second;
    }
    return entries[slots[slot] - 1].second;
  }
  void clear() {
    for (auto &entry : entries)
      for (size_t k = home(entry.first); slots[k]; k = (k + 1) & (slots.size() - 1))
        slots[k] = 0;
    entries.clear();
  }
  std::vector<std::pair<uint64_t, Value>> entries;

private:
  size_t home(uint64_t key) const {
    return (key ^ key >> 32) * 0x9e3779b97f4a7c15ull >> (64 - std::countr_zero(slots.size()));
  }
  size_t place(uint64_t key) const {
    size_t slot = home(key);
    while (slots[slot] && entries[slots[slot] - 1].first != key)
      slot = (slot + 1) & (slots.size() - 1);
    return slot;
  }
  void grow() {
    slots.assign(slots.size() * 2, 0);
    for (size_t k = 0; k < entries.size(); ++k)
      slots[place(entries[k].first)] = uint32_t(k + 1);
  }
  std::vector<uint32_t> slots = std::vector<uint32_t>(1024);
};

void add(Sink &sink, uint64_t word) {
  ++sink.count;
  sink.sum += word;
}

/// Auctions of category 10, each with its seller if that is a person of states 0 to 2.
class LocalItems {
public:
  void take(const Event &e, Sink &sink) {
    if (e.kind == Person && e.state < 3) {
      people[e.id] = true;
      if (auto *auctions = waiting.find(e.id))
        for (uint64_t auction : *auctions)
          add(sink, auction + e.id);
    } else if (e.kind == Auction && e.category == 10) {
      if (people.find(e.seller))
        add(sink, e.id + e.seller);
      else
        waiting[e.seller].push_back(e.id);
    }
  }

private:
  Map<bool> people;
  Map<std::vector<uint64_t>> waiting;
};

/// The auctions with most bids in the last ten seconds, every two seconds.
class HotItems {
public:
  void take(const Event &e, Sink &sink) {
    if (e.kind != Bid)
      return;
    if (e.ms / 2000 != pane) {
      close(sink);
      pane = e.ms / 2000;
      Map<uint32_t> &old = panes[pane % 5];
      for (auto &[auction, bids] : old.entries)
        *total.find(auction) -= bids;
      old.clear();
      if (pane % 64 == 0)
        forget();
    }
    ++panes[pane % 5][e.id];
    ++total[e.id];
  }

private:
  void close(Sink &sink) {
    uint32_t most = 0;
    for (auto &[auction, bids] : total.entries)
      most = std::max(most, bids);
    for (auto &[auction, bids] : total.entries)
      if (bids == most)
        add(sink, auction + most);
  }
  void forget() {
    Map<uint32_t> kept;
    for (auto &[auction, bids] : total.entries)
      if (bids)
        kept[auction] = bids;
    total = std::move(kept);
  }
  Map<uint32_t> panes[5], total;
  uint64_t pane = 0;
};

/// The highest bid of every ten seconds.
class HighestBid {
public:
  void take(const Event &e, Sink &sink) {
    if (e.kind != Bid)
      return;
    if (e.ms / 10000 != window) {
      add(sink, price + auction);
      window = e.ms / 10000;
      price = 0;
    }
    if (e.price > price) {
      price = e.price;
      auction = e.id;
    }
  }

private:
  uint64_t window = 0, price = 0, auction = 0;
};

/// People who are new and have an auction within the same ten seconds.
class NewSellers {
public:
  void take(const Event &e, Sink &sink) {
    if (e.kind == Bid)
      return;
    if (e.ms / 10000 != window) {
      window = e.ms / 10000;
      people.clear();
    }
    uint8_t &seen = people[e.kind == Person ? e.id : e.seller];
    uint8_t before = seen;
    seen |= e.kind == Person ? 1 : 2;
    if (before != 3 && seen == 3)
      add(sink, e.kind == Person ? e.id : e.seller);
  }

private:
  Map<uint8_t> people; // 1: new, 2: a seller
  uint64_t window = 0;
};

/// Queries 0 to 2.
template <int Query> struct Bids {
  void take(const Event &e, Sink &sink) {
    if (e.kind != Bid || (Query == 2 && e.id % 123 != 0))
      return;
    add(sink, Query == 1 ? uint64_t(double(e.price) * 0.908) : e.id + e.price);
  }
};

template <class Query> void run(Query query, uint64_t count, Sink &sink) {
  for (uint64_t n = 0; n < count; ++n)
    query.take(eventOf(n), sink);
}
} // namespace

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: nexmark QUERY COUNT\n");
    return 2;
  }
  const int query = atoi(argv[1]);
  const uint64_t count = strtoull(argv[2], nullptr, 10);
  Sink sink;
  switch (query) {
  case 0:
    run(Bids<0>(), count, sink);
    break;
  case 1:
    run(Bids<1>(), count, sink);
    break;
  case 2:
    run(Bids<2>(), count, sink);
    break;
  case 3:
    run(LocalItems(), count, sink);
    break;
  case 5:
    run(HotItems(), count, sink);
    break;
  case 7:
    run(HighestBid(), count, sink);
    break;
  case 8:
    run(NewSellers(), count, sink);
    break;
  default:
    fprintf(stderr, "nexmark: no query %d\n", query);
    return 2;
  }
  sink.print();
  return 0;
}
