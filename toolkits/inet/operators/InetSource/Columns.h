//===- Columns.h - the tuples of an InetSource ------------------*- C++ -*-===//
#pragma once
#include "memory/Arena.h"
#include "stdlib/native/Params.h"
#include <string>
#include <vector>

namespace sluice::inet {

/// Where a text is from, for the output functions.
struct Source {
  std::string target, effective, type; // URLs; the type of the content
  long status = 0;
  double seconds = 0; // that the request took
};

/// What the attribute for the texts is.
enum class Data { Text, List, Blob, Xml };

class Columns {
public:
  /// Finds the attribute for the texts, the first one without an assignment, and those that are
  /// values of output functions. Handler return values.
  int32_t layOut(ParamOp &);
  Data data() const { return kind; }
  /// A tuple has all of a text, as it came.
  bool isWhole() const { return kind == Data::Blob || kind == Data::Xml; }
  /// The program sees the status itself.
  bool hasStatus() const;
  /// The tuple with these records, to which it points, until the next one. Null: they are no XML.
  const void *fill(const std::vector<std::string> &records, const Source &, Arena &);

private:
  enum class Part { Target, Effective, Type, Status, Seconds };
  struct Column {
    const Field *field;
    Part part;
  };
  bool putRecords(const std::vector<std::string> &, Arena &);
  void put(const Field *field, const void *value, size_t size);
  void put(const Column &, const Source &);

  const Field *texts = nullptr;
  Data kind = Data::Text;
  std::vector<Column> columns;
  std::vector<uint64_t> tuple;
};

} // namespace sluice::inet
