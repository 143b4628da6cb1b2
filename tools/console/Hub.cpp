//===- Hub.cpp - what the processes of a job have said --------------------===//
#include "tools/console/Hub.h"
#include <algorithm>
#include <array>
#include <cstdlib>

namespace sluice::console {

static constexpr auto kLong = std::chrono::minutes(10);
// Bytes. Each kind has its own, so that tuples push out nothing else.
static constexpr size_t kMostFigures = 32 << 20, kMostTuples = 8 << 20, kMostEvents = 8 << 20;

/// In a string of JSON a quote has a backslash before it, so this is a member of the line itself.
int32_t peOf(std::string_view header) {
  static constexpr std::string_view kMember = ",\"pe\":";
  size_t at = header.rfind(kMember);
  return at == header.npos
             ? -1
             : int32_t(strtol(std::string(header.substr(at + kMember.size(), 12)).c_str(), nullptr,
                              10));
}

static bool isKind(std::string_view line, std::string_view kind) {
  return line.starts_with("{\"line\":\"" + std::string(kind) + "\"");
}

void Hub::add(int32_t pe, std::string_view line) {
  std::lock_guard guard(lock);
  processes[pe] = true;
  Lines &lines = isKind(line, "figures") ? figures : isKind(line, "tap") ? tuples : events;
  std::string text(line);
  if (isKind(line, "header"))
    headers[pe] = text;
  if (pe >= 0 && text.size() > 1 && text[0] == '{')
    text.insert(1, "\"pe\":" + std::to_string(pe) + ",");
  lines.bytes += text.size();
  lines.all.push_back({next++, Clock::now(), std::move(text)});
  drop();
}

void Hub::Lines::erase(std::deque<Line>::iterator line) {
  bytes -= line->text.size();
  all.erase(line);
}

void Hub::dropOld(Lines &lines, size_t most) {
  while (!lines.all.empty() &&
         (lines.bytes > most || Clock::now() - lines.all.front().when > kLong))
    lines.erase(lines.all.begin());
}

/// What is old, or too much. Headers stay.
void Hub::drop() {
  dropOld(figures, kMostFigures);
  dropOld(tuples, kMostTuples);
  while (events.bytes > kMostEvents && events.all.size() > 1) {
    auto old = std::ranges::find_if(
        events.all, [](const Line &line) { return line.text.find("\"line\":\"header\"") > 16; });
    if (old == events.all.end())
      return;
    events.erase(old);
  }
}

void Hub::setMetrics(int32_t pe, std::string text) {
  std::lock_guard guard(lock);
  texts[pe] = std::move(text);
}

void Hub::leave(int32_t pe) {
  std::lock_guard guard(lock);
  processes[pe] = false;
  texts.erase(pe);
}

std::string Hub::since(uint64_t from, uint64_t &nextOut, uint64_t &lost) const {
  std::lock_guard guard(lock);
  struct Rest {
    std::deque<Line>::const_iterator at, end;
  };
  std::array<Rest, 3> rests;
  std::ranges::transform(std::array{&figures, &tuples, &events}, rests.begin(), [&](auto *lines) {
    return Rest{std::ranges::lower_bound(lines->all, from, {}, &Line::number), lines->all.end()};
  });
  auto number = [this](const Rest &rest) { return rest.at == rest.end ? next : rest.at->number; };
  std::string text;
  uint64_t count = 0;
  while (true) {
    Rest &first = *std::ranges::min_element(rests, {}, number);
    if (first.at == first.end)
      break;
    text += (first.at++)->text;
    ++count;
  }
  nextOut = next;
  lost = from < next ? next - from - count : 0;
  read = std::max(read, next);
  return text;
}

std::vector<std::string> Hub::metrics() const {
  std::lock_guard guard(lock);
  std::vector<std::string> all;
  for (const auto &[pe, text] : texts)
    all.push_back(text);
  return all;
}

size_t Hub::present() const {
  std::lock_guard guard(lock);
  return size_t(std::ranges::count_if(processes, [](const auto &p) { return p.second; }));
}

size_t Hub::known() const {
  std::lock_guard guard(lock);
  return processes.size();
}

bool Hub::isRead() const {
  std::lock_guard guard(lock);
  return read == next;
}

} // namespace sluice::console
