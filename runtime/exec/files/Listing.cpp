//===- Listing.cpp - checkpoints as text -----------------------------------===//
#include "runtime/exec/files/Listing.h"
#include "runtime/exec/saved/Entries.h"
#include "runtime/exec/saved/SavedValue.h"
#include "runtime/exec/saved/TypeImage.h"
#include "runtime/memory/Heap.h"
#include "value/Place.h"
#include "value/Text.h"
#include <cstdio>
#include <cstring>
#include <ctime>

namespace sluice::checkpoint {

static std::string dateOf(int64_t seconds) {
  time_t at = seconds;
  tm fields = {};
  char text[40];
  localtime_r(&at, &fields);
  strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &fields);
  return text;
}

std::string listText(const std::vector<Manifest> &manifests) {
  std::string text = "number  made                 size        stood still  program\n";
  for (const Manifest &m : manifests) {
    uint64_t bytes = 0;
    for (const Manifest::File &file : m.files)
      bytes += file.bytes;
    char line[200];
    snprintf(line, sizeof line, "%6llu  %s  %7.1f KiB  %8.1f ms  ",
             static_cast<unsigned long long>(m.number), dateOf(m.seconds).c_str(),
             double(bytes) / 1024, double(m.stopped) / 1e6);
    text += line + m.program + (m.isEnd ? ", at its end" : "") + "\n";
  }
  return text;
}

std::string logText(const std::string &path, const LogSummary &log) {
  char text[120];
  snprintf(text, sizeof text, "%llu rows, %.1f KiB", static_cast<unsigned long long>(log.rows),
           double(log.bytes) / 1024);
  std::string frames = "nothing";
  if (log.first != log.end)
    frames =
        "frames " + std::to_string(log.first) + " to " + std::to_string(log.end - 1) + ", " + text;
  return "the log of " + path.substr(path.rfind('/') + 1) + ": " + frames +
         (log.isTorn ? ", and a part of another one" : "") + "\n";
}

/// A value, which is read into a place of its own.
static std::string valueText(std::string_view bytes) {
  SavedType type;
  if (!type.read(bytes))
    return "a type that cannot be read";
  std::vector<Timestamp> place(type.desc()->size / sizeof(Timestamp) + 1);
  memset(static_cast<void *>(place.data()), 0, place.size() * sizeof(Timestamp));
  Heap *heap = heapCreate();
  SavedBytes from{bytes.data(), bytes.data() + bytes.size()};
  TextOut text;
  if (restoreValue(heap, from, type.desc(), place.data()))
    printValue(text, type.desc(), place.data(), /*quoteTopString=*/true);
  else
    text.put("a value that cannot be read");
  std::string result = typeText(type.desc()) + " = " + std::string(text.view());
  disown(heap, type.desc(), place.data());
  heapDestroy(heap);
  return result;
}

/// What the runtime saves for itself may be numbers and frames that nobody could read.
static bool isReadable(const Entry &entry) {
  return !entry.name.starts_with('%') || entry.bytes.find('\0') == std::string_view::npos;
}

static std::string entryText(const Entry &entry) {
  std::string name(entry.name);
  switch (entry.kind) {
  case EntryKind::Number: {
    int64_t number = 0;
    memcpy(&number, entry.bytes.data(), std::min(entry.bytes.size(), sizeof number));
    return name + ": " + std::to_string(number);
  }
  case EntryKind::Text: {
    if (!isReadable(entry))
      return name + ": " + std::to_string(entry.bytes.size()) + " bytes";
    TextOut text;
    printQuoted(text, entry.bytes);
    return name + ": " + std::string(text.view());
  }
  case EntryKind::Value:
    return name + ": " + valueText(entry.bytes);
  case EntryKind::Blocks: // Directory::read puts a value in its place
    break;
  }
  return name + ": something that this version does not know";
}

std::string showText(const std::vector<Section> &sections) {
  std::string text;
  for (const Section &section : sections) {
    text += section.text + "\n";
    std::string_view bytes(section.bytes.data(), section.bytes.size());
    for (Entry entry; nextEntry(bytes, entry);)
      text += "  " + entryText(entry) + "\n";
  }
  return text;
}

} // namespace sluice::checkpoint
