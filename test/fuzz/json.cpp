//===- json.cpp - fuzzing the reader of JSON --------------------*- C++ -*-===//
//
// The first byte says how to read. A text of which nothing is taken is refused if and only if it is
// no JSON object, or has a number that no double holds. What a tuple takes is written as JSON that
// reads the same again.
//
//===----------------------------------------------------------------------===//
#include "Row.h"
#include "toolkits/json/native/Reader.h"
#include "toolkits/json/native/Syntax.h"
#include "toolkits/json/native/Writer.h"
#include <cstdio>
#include <cstdlib>

using namespace sluice;
using namespace sluice::json;
using namespace sluice::test;

static const TupleType none({});
static const TypeDesc tuples = listOf(inner);
static const OptionalType maybe(&int32);
static const TupleType row({{"i", &int8},
                            {"u", &uint64},
                            {"f", &float64},
                            {"g", &float32},
                            {"b", &boolean},
                            {"s", &rstring},
                            {"r", &ustring},
                            {"t", &timestamp},
                            {"e", &colour},
                            {"l", &ints},
                            {"w", &words},
                            {"m", &table},
                            {"o", maybe},
                            {"c", inner},
                            {"d", &tuples}});

[[noreturn]] static void fail(const char *what, std::string_view text, const std::string &more) {
  fprintf(stderr, "%s: %.*s\n%s\n", what, int(text.size()), text.data(), more.c_str());
  abort();
}

/// Whether the text is refused as it is to be.
static void checkAll(std::string_view text) {
  World world;
  Problem problem;
  char value[16] = {};
  bool isTaken =
      read(text, planFor(none, Reading::Match, {}), Reading::Match, world.arena, value, problem);
  bool isJson = findFault(text).status == ParseStatus::Parsed;
  size_t first = text.find_first_not_of(" \t\r\n");
  bool isObject = first != text.npos && text[first] == '{';
  bool isLarge = !isTaken && problem.what == textOf(ParseStatus::NumberTooBig);
  if (isTaken != (isJson && isObject && !isLarge))
    fail(isTaken ? "taken" : "refused", text, problem.message(""));
  if (!isTaken && problem.offset > text.size())
    fail("beyond the end", text, problem.message(""));
}

static std::string write(World &world, const void *value) {
  TextOut out(&world.arena);
  Writer(world, out, Times::Seconds, {}).value(row, value);
  return std::string(out.view());
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  std::vector<char> exact(data + 1, data + size); // reading beyond it is found
  std::string_view text(exact.data(), exact.size());
  checkAll(text);
  World world;
  Problem problem;
  Reading how = data[0] & 1 ? Reading::Convert : Reading::Match;
  auto *value = world.value(row, "{i=0,u=0,f=0,g=0,b=false,s=\"\",r=\"\",t=(0,0,0),e=red,l=[],w={},"
                                 "m={},o=null,c={a=0,b=\"\"},d=[]}");
  auto *again = arenaAlloc(&world.arena, row.desc.size, 16);
  memcpy(again, value, row.desc.size);
  const Plan &plan = planFor(row, how, {});
  if (!read(text, plan, how, world.arena, value, problem))
    return 0;
  std::string written = write(world, value);
  if (!read(written, plan, how, world.arena, again, problem))
    fail("not taken again", written, problem.message(""));
  if (std::string second = write(world, again); second != written)
    if (how == Reading::Match) // the other leaves out maps
      fail("not the same again", written, second);
  return 0;
}
