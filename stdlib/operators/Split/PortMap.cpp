//===- PortMap.cpp - the mapping file of spl.utility::Split ---------------===//
//
// A line is a key and the numbers of ports: `"red",0,2`. A key that is a string may be quoted; the
// bare word `default` stands for all keys without a line. What is behind a # that does not belong
// to a key, and empty lines, mean nothing. Of two lines with one key the first one counts.
//
//===----------------------------------------------------------------------===//
#include "stdlib/native/Library.h"
#include "value/Text.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

using namespace sluice;

namespace {

/// One line, without its end.
class MapLine {
public:
  MapLine(std::string_view text, Type keyType, Arena &arena)
      : p(text.data()), end(p + text.size()), keyType(keyType), arena(arena) {
    skipBlanks(p, end);
  }

  bool isEmpty() const { return p == end || *p == '#'; }
  /// Sets all below; false if the line is wrong.
  bool parse(void *key);

  bool isDefault = false; // then there is no key
  std::vector<int64_t> ports;

private:
  bool parseKey(void *key);
  bool parsePorts();

  const char *p, *const end;
  Type keyType;
  Arena &arena;
};

bool MapLine::parse(void *key) { return parseKey(key) && parsePorts(); }

bool MapLine::parseKey(void *key) {
  std::string_view bare(p, std::find(p, end, ',') - p);
  bare = bare.substr(0, bare.find_last_not_of(" \t") + 1);
  isDefault = bare == "default";
  bool isText = keyType->kind == Kind::RString || keyType->kind == Kind::UString;
  if (!isDefault && (!isText || *p == '"' || *p == '\''))
    return parseValue(p, end, keyType, key, arena) == 0;
  p += bare.size();
  if (isDefault)
    return true;
  Str text = strView(bare.data(), bare.size());
  if (textValue(keyType, &text, arena) != 0)
    return false;
  memcpy(key, &text, sizeof text);
  return true;
}

bool MapLine::parsePorts() {
  for (;;) {
    skipBlanks(p, end);
    if (isEmpty())
      return !ports.empty();
    if (*p++ != ',')
      return false;
    int64_t port;
    if (parseInteger(p, end, Kind::Int64, &port) != 0)
      return false;
    ports.push_back(port);
  }
}

} // namespace

/// Reads the file into two places: the ports of each key, and those of all other keys.
SL(splitMap, MgLlLlr)(Ctx *ctx, Type key, Type list, Seq *ports, Seq *rest, const Str *file) {
  std::string path(viewOf(*file));
  if (!path.starts_with('/'))
    path = std::string(sl_data_dir(ctx)) + '/' + path;
  std::ifstream in(path);
  if (!in)
    return sl_error(ctx, "cannot open %s: %s", path.c_str(), strerror(errno));
  TypeDesc map = mapOf(key, list);
  std::vector<char> value(key->size);
  std::string text;
  for (unsigned number = 1; std::getline(in, text); ++number) {
    if (text.ends_with('\r'))
      text.pop_back();
    MapLine line(text, key, *ctx->scratch);
    if (line.isEmpty())
      continue;
    if (!line.parse(value.data()))
      return sl_error(ctx, "%s:%u: a line is a key and numbers of ports, as `\"a\",0,1`",
                      path.c_str(), number);
    bool isFirst = rest->len == 0;
    Seq *place = rest;
    if (!line.isDefault) {
      uint32_t slot = tableSlot(ctx->heap, &map, ports, value.data(), &isFirst);
      place = reinterpret_cast<Seq *>(elementAt(&map, ports, slot) + map.valueOffset);
    }
    if (isFirst)
      placeInsert(ctx->heap, list, place, 0, line.ports.data(), line.ports.size());
  }
  return 0;
}

/// The ports of a key.
SL(splitPorts, gMgLlLlr)(Ctx *ctx, Type key, Type list, Seq *result, const void *k,
                         const Seq *ports, const Seq *rest, const Str *file) {
  TypeDesc map = mapOf(key, list);
  uint32_t slot = tableFind(&map, ports, k);
  if (slot != kNoSlot) {
    *result = load<Seq>(elementAt(&map, ports, slot) + map.valueOffset);
    return 0;
  }
  *result = *rest;
  if (rest->len)
    return 0;
  TextOut text;
  printValue(text, key, k, true);
  return sl_error(ctx, "%.*s has no line for %.*s, and none for `default`", int(file->len),
                  file->data(), int(text.size), text.data);
}
