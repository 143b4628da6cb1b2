//===- bin.cpp - fuzzing the reader of format bin ---------------*- C++ -*-===//
//
// The input is a file of the format. What is taken is written, and must be taken again as a whole
// and be written the same.
//
//===----------------------------------------------------------------------===//
#include "Row.h"
#include "stdlib/native/csv/BinReader.h"
#include "stdlib/native/csv/BinWriter.h"
#include <cstdio>
#include <cstdlib>

using namespace sluice;
using namespace sluice::test;

static TypeDesc bounded(TypeDesc type, uint32_t bound) {
  type.bound = bound;
  return type;
}
static const TypeDesc shortText = bounded(rstring, 3), shortList = bounded(listOf(&int8), 2);
static const TypeDesc decimal64 = scalar(Kind::Decimal64), decimal128 = scalar(Kind::Decimal128),
                      complex32 = scalar(Kind::Complex32);
static const OptionalType maybe(&int32);
static const TupleType row({{"text", textRow},
                            {"u", &ustring},
                            {"x", &blob},
                            {"d", &decimal64},
                            {"q", &decimal128},
                            {"z", &complex32},
                            {"s", &shortText},
                            {"l", &shortList},
                            {"o", maybe}});

static std::string write(const void *tuple) {
  TextOut out;
  writeBin(out, row, tuple);
  return std::string(out.view());
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  World world;
  BinReader reader;
  reader.marks = data[0] & 1;
  reader.delayField = data[0] & 2;
  LineReader file(nullptr);
  file.openText({reinterpret_cast<const char *>(data) + 1, size - 1}, "");
  std::vector<uint64_t> tuple(row.desc.size / 8 + 1), again(tuple.size());
  while (reader.next(file, row, tuple.data(), world.arena) == LineReader::Status::Line) {
    if (reader.item == BinReader::Item::Bad)
      break;
    if (reader.item != BinReader::Item::Tuple)
      continue;
    std::string written = write(tuple.data());
    const char *p = written.data(), *end = p + written.size();
    if (readBin(p, end, row, again.data(), world.arena) != BinResult::Done || p != end ||
        write(again.data()) != written) {
      fprintf(stderr, "not the same again\n");
      abort();
    }
  }
  return 0;
}
