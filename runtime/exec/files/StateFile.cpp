//===- StateFile.cpp - the state of a program as a file --------------------===//
#include "runtime/exec/files/StateFile.h"
#include "runtime/base/hash/Digest.h"
#include <algorithm>
#include <charconv>
#include <cstring>

namespace sluice::checkpoint {

namespace {
struct FileHeader {
  char magic[4] = {'S', 'L', 'C', 'P'};
  uint32_t version = 2;
  uint64_t sections = 0;
};
static_assert(sizeof(FileHeader) == 16);

struct SectionHeader {
  uint64_t nameBytes = 0, bytes = 0;
  uint64_t check = 0; // the digest of the name and the bytes
};
static_assert(sizeof(SectionHeader) == 24);
} // namespace

template <typename T> static void append(std::string &to, const T &header) {
  to.append(reinterpret_cast<const char *>(&header), sizeof header);
}

template <typename T> static bool take(std::string_view &from, T &header) {
  if (from.size() < sizeof header)
    return false;
  memcpy(&header, from.data(), sizeof header);
  from.remove_prefix(sizeof header);
  return true;
}

static uint64_t checkOf(std::string_view name, std::string_view bytes) {
  return digestOf(name.data(), name.size()) * 31 + digestOf(bytes.data(), bytes.size());
}

std::string stateFileOf(int32_t pe) { return pe < 0 ? "state" : "state.pe" + std::to_string(pe); }

static constexpr std::string_view kOfPe = "state.pe";

int32_t peOfState(std::string_view name) {
  int32_t pe = -1;
  if (name.starts_with(kOfPe))
    std::from_chars(name.data() + kOfPe.size(), name.data() + name.size(), pe);
  return pe;
}

bool isState(std::string_view name) {
  if (name == "state")
    return true;
  return name.starts_with(kOfPe) && name.size() > kOfPe.size() &&
         name.find_first_not_of("0123456789", kOfPe.size()) == name.npos;
}

std::string writeState(const std::vector<Section> &sections) {
  std::string file;
  size_t size = sizeof(FileHeader);
  for (const Section &s : sections)
    size += sizeof(SectionHeader) + s.text.size() + s.bytes.size();
  file.reserve(size);
  FileHeader header;
  header.sections = sections.size();
  append(file, header);
  for (const Section &s : sections) {
    std::string_view bytes(s.bytes.data(), s.bytes.size());
    append(file, SectionHeader{s.text.size(), s.bytes.size(), checkOf(s.text, bytes)});
    file += s.text;
    file += bytes;
  }
  return file;
}

/// " of NAME", unless that is no name either.
static std::string ofOperator(std::string_view name) {
  bool isText = std::ranges::none_of(name, [](unsigned char c) { return c < ' '; });
  return isText && !name.empty() ? " of " + std::string(name) : "";
}

std::string readState(std::string_view file, std::vector<Section> &sections) {
  FileHeader header, mine;
  if (!take(file, header) || memcmp(header.magic, mine.magic, sizeof mine.magic) != 0)
    return "it is not the state of a program";
  if (header.version != mine.version)
    return "it has version " + std::to_string(header.version) + " of the format, and this reads " +
           std::to_string(mine.version);
  for (uint64_t i = 0; i < header.sections; ++i) {
    SectionHeader section;
    if (!take(file, section) || section.nameBytes > file.size() ||
        section.bytes > file.size() - section.nameBytes)
      return "it is cut off";
    std::string_view name = file.substr(0, section.nameBytes),
                     bytes = file.substr(section.nameBytes, section.bytes);
    if (checkOf(name, bytes) != section.check)
      return "the bytes of section " + std::to_string(i + 1) + ofOperator(name) + " have changed";
    sections.push_back({std::string(name), {bytes.begin(), bytes.end()}});
    file.remove_prefix(section.nameBytes + section.bytes);
  }
  return file.empty() ? "" : "there is something behind its end";
}

} // namespace sluice::checkpoint
