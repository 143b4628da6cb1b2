//===- csv.cpp - fuzzing the reader of rows ---------------------*- C++ -*-===//
//
// The input is a file of rows. Whatever is taken must print as a row that is
// taken again and prints the same.
//
//===----------------------------------------------------------------------===//
#include "Row.h"
#include "stdlib/native/csv/CsvReader.h"
#include "stdlib/native/csv/LineReader.h"
#include <cstdio>
#include <cstdlib>

using namespace sluice;
using namespace sluice::test;

static const TupleType &row = textRow;

static std::string print(const void *tuple) {
  TextOut out;
  for (const Field &f : row.fields) {
    if (&f != &row.fields[0])
      out.put(',');
    printValue(out, f.type, static_cast<const char *>(tuple) + f.offset, true);
  }
  return std::string(out.view());
}

/// Fifteen digits may round the largest numbers up, beyond what is taken.
static bool isHuge(const std::string &text) {
  return text.find("e+308") != std::string::npos || text.find("e+38") != std::string::npos;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  World world;
  CsvReader reader;
  reader.extraAllowed = data[0] & 1;
  reader.delayField = data[0] & 2;
  for (const Field &f : row.fields)
    reader.columns.push_back({f.type, f.offset, nullptr, f.name});
  LineReader lines(nullptr);
  lines.openText({reinterpret_cast<const char *>(data) + 1, size - 1}, data[0] & 4 ? "\r\n" : "\n");
  std::vector<uint64_t> tuple(row.desc.size / 8 + 1), again(tuple.size());
  std::string_view line;
  while (lines.next(line) == LineReader::Status::Line) {
    if (reader.isOpen(line))
      reader.staysOpen(line);
    if (CsvReader::isIgnored(line) || !reader.parse(line, tuple.data(), world.arena))
      continue;
    std::string text = print(tuple.data());
    bool delay = reader.delayField;
    reader.delayField = false;
    if (!reader.parse(text, again.data(), world.arena) ? !isHuge(text)
                                                       : print(again.data()) != text) {
      fprintf(stderr, "not the same again: %s\n%s\n", text.c_str(), reader.error.c_str());
      abort();
    }
    reader.delayField = delay;
  }
  return 0;
}
