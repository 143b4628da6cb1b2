//===- yahoo.cpp - W8e by hand, one thread --------------------------------===//
//
// yahoo SECONDS number|name COUNT: views of each campaign in the last 1, 10 or 100 seconds, every
// second. An event comes every 10 microseconds; an ad is looked up by its number or its name of
// 36 characters.
#include "windows.h"
#include <memory>
#include <string_view>

using namespace bench;
using namespace bench::windows;

namespace {
constexpr size_t kAds = 1000, kCampaigns = 100, kSlots = 8192;
constexpr uint64_t kPerSecond = 100000;

struct Name {
  char text[40]; // 36 bytes and zeros
};
Name nameOfAd(uint64_t ad) {
  uint64_t u = nameOf(Ads, ad), w = random(u);
  Name name = {};
  snprintf(name.text, sizeof name.text, "%08x-%04x-%04x-%04x-%012llx", unsigned(u >> 32),
           unsigned(u >> 16 & 0xffff), unsigned(u & 0xffff), unsigned(w >> 48),
           static_cast<unsigned long long>(w & 0xffffffffffff));
  return name;
}

/// What stands for an ad in a comparison: itself, or five words of its name.
bool same(uint64_t a, uint64_t b) { return a == b; }
bool same(const Name *a, const Name *b) { return !memcmp(a, b, sizeof *a); }
uint64_t hashOf(uint64_t ad) { return bench::windows::hashOf(ad); }
uint64_t hashOf(const Name *ad) {
  uint64_t w[5];
  memcpy(w, ad->text, sizeof w);
  auto mix = [](uint64_t a, uint64_t b) {
    __uint128_t product = static_cast<__uint128_t>(a) * b;
    return uint64_t(product) ^ uint64_t(product >> 64);
  };
  return mix(w[0] ^ 0x9e3779b97f4a7c15ull, w[1] ^ 0xbf58476d1ce4e5b9ull) ^
         mix(w[2] ^ w[4] ^ 0x94d049bb133111ebull, w[3] ^ 0xd6e8feb86659fd93ull);
}

/// Ads and their campaigns; an eighth full.
template <class Ad> class Table {
public:
  void add(Ad ad, uint32_t campaign) { *place(ad) = {ad, campaign + 1}; }
  /// The campaign of an ad, from 1; 0 if it has none.
  uint32_t find(Ad ad) { return place(ad)->campaign; }

private:
  struct Slot {
    Ad ad;
    uint32_t campaign;
  };
  Slot *place(Ad ad) {
    for (size_t k = hashOf(ad) >> 51;; k = (k + 1) % kSlots)
      if (!slots[k].campaign || same(slots[k].ad, ad))
        return &slots[k];
  }
  Slot slots[kSlots] = {};
};

/// Counts of this second, of each of the last `seconds`, and of all of these.
class Counts {
public:
  explicit Counts(size_t seconds, bool named)
      : seconds(seconds), named(named), panes(seconds * kCampaigns) {}
  void add(uint32_t campaign) { ++now[campaign]; }
  void close(Sink &sink) {
    for (size_t c = 0; c < kCampaigns; ++c) {
      uint64_t &old = panes[second % seconds * kCampaigns + c], views = total[c] += now[c] - old;
      old = now[c];
      now[c] = 0;
      if (!views)
        continue;
      sink.sum += checkAll(second, named ? c : nameOf(Campaigns, c), views);
      ++sink.count;
    }
    ++second;
  }
  uint64_t second = 0;

private:
  size_t seconds;
  bool named;
  uint64_t now[kCampaigns] = {}, total[kCampaigns] = {};
  std::vector<uint64_t> panes;
};

template <class Ad> void run(size_t seconds, uint64_t count, Sink &sink) {
  constexpr bool kNamed = std::is_same_v<Ad, const Name *>;
  auto table = std::make_unique<Table<Ad>>();
  std::vector<Name> names;
  for (size_t a = 0; a < kAds; ++a)
    names.push_back(nameOfAd(a));
  auto adOf = [&](uint64_t number) {
    if constexpr (kNamed)
      return &names[number];
    else
      return nameOf(Ads, number);
  };
  for (size_t a = 0; a < kAds; ++a)
    table->add(adOf(a), uint32_t(a % kCampaigns));
  Counts counts(seconds, kNamed);
  alignas(64) uint64_t kinds[kRows], numbers[kRows];
  Ad ads[kRows], seen[kRows + 1];
  inBatches(count, [&](uint64_t i, size_t rows) {
    for (size_t r = 0; r < rows; ++r) {
      uint64_t a = first(i + r);
      kinds[r] = upper(a, 3);
      numbers[r] = lower(a, kAds);
    }
    for (size_t r = 0; r < rows; ++r)
      ads[r] = adOf(numbers[r]);
    for (size_t done = 0, end; done < rows; done = end) { // the rows of one second
      const uint64_t second = (i + done) / kPerSecond;
      end = std::min<uint64_t>(rows, (second + 1) * kPerSecond - i);
      size_t views = 0;
      for (size_t r = done; r < end; ++r) {
        seen[views] = ads[r];
        views += kinds[r] == 0;
      }
      if (views && second != counts.second)
        counts.close(sink);
      for (size_t r = 0; r < views; ++r)
        if (uint32_t campaign = table->find(seen[r]))
          counts.add(campaign - 1);
    }
  });
}
} // namespace

int main(int argc, char **argv) {
  if (argc != 4)
    usage("yahoo SECONDS number|name COUNT");
  size_t seconds = strtoull(argv[1], nullptr, 10);
  uint64_t count = strtoull(argv[3], nullptr, 10);
  Sink sink;
  if (argv[2] == std::string_view("name"))
    run<const Name *>(seconds, count, sink);
  else
    run<uint64_t>(seconds, count, sink);
  sink.print();
  return 0;
}
