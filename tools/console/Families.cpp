//===- Families.cpp - the text for Prometheus -----------------------------===//
#include "tools/console/Families.h"
#include <map>
#include <set>
#include <string_view>

namespace sluice::console {

template <class Take> static void eachLine(std::string_view text, Take take) {
  for (size_t at = 0, end; (end = text.find('\n', at)) != text.npos; at = end + 1)
    take(text.substr(at, end - at));
}

static constexpr std::string_view kType = "# TYPE ";

std::string mergeFamilies(const std::vector<std::string> &texts) {
  struct Family {
    std::string head, samples;
  };
  std::vector<std::string> order;
  std::map<std::string, Family, std::less<>> families;
  for (const std::string &text : texts) {
    Family *now = nullptr;
    bool isNew = false;
    eachLine(text, [&](std::string_view line) {
      if (line.starts_with(kType)) {
        std::string name(line.substr(kType.size(), line.find(' ', kType.size()) - kType.size()));
        isNew = !families.contains(name);
        if (isNew)
          order.push_back(name);
        now = &families[name];
      }
      if (now && (isNew || line[0] != '#'))
        (line[0] == '#' ? now->head : now->samples) += std::string(line) + "\n";
    });
  }
  std::string all;
  for (const std::string &name : order)
    all += families[name].head + families[name].samples;
  return all + "# EOF\n";
}

std::string toPlainFormat(const std::string &openMetrics) {
  std::string text;
  std::map<std::string, std::string> renamed;
  eachLine(openMetrics, [&](std::string_view line) {
    if (line == "# EOF" || line.starts_with("# UNIT"))
      return;
    if (line[0] != '#') {
      text += std::string(line) + "\n";
      return;
    }
    size_t begin = line.find(' ', 2) + 1, end = line.find(' ', begin);
    std::string name(line.substr(begin, end - begin)), rest(line.substr(end));
    if (line.starts_with(kType)) {
      renamed[name] = name + (rest == " counter" ? "_total" : rest == " info" ? "_info" : "");
      rest = rest == " info" ? " gauge" : rest;
    }
    text += std::string(line.substr(0, begin)) + renamed[name] + rest + "\n";
  });
  return text;
}

} // namespace sluice::console
