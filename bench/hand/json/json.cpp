//===- json.cpp - W9 by hand, one thread: simdjson alone ------------------===//
//
// json FILE: maps the file, and takes all members of the object of each line, in the order in which
// they stand, where they lie. The sink adds up what is in whole numbers.
#include "../mapped.h"
#include "../workload.h"
#include <cmath>
#include <cstring>
#include <simdjson/singleheader/simdjson.cpp>
#include <simdjson/singleheader/simdjson.h>
#include <vector>

using namespace bench;
namespace json = simdjson::ondemand;

/// What of a line goes to the sum.
static uint64_t take(json::document document) {
  json::object row = document.get_object();
  const int64_t id = row["id"];
  const std::string_view user = row["user"], email = row["email"];
  const double price = row["price"];
  const int64_t quantity = row["quantity"];
  const bool active = row["active"];
  const std::string_view city = row["city"];
  const double lat = row["lat"], lon = row["lon"];
  const std::string_view comment = row["comment"];
  return uint64_t(id + quantity + active) + user.size() + email.size() + city.size() +
         comment.size() + uint64_t(std::trunc(price)) + uint64_t(std::trunc(lat)) +
         uint64_t(std::trunc(lon));
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: json FILE\n");
    return 2;
  }
  Mapped text(argv[1]);
  Sink sink;
  json::parser parser;
  std::vector<char> last; // the line behind which there is no room
  for (const char *p = text.begin(); p < text.end();) {
    auto *end = static_cast<const char *>(memchr(p, '\n', size_t(text.end() - p)));
    const char *stop = end ? end : text.end();
    size_t size = size_t(stop - p), room = size_t(text.end() - p);
    const char *line = p;
    if (room < size + simdjson::SIMDJSON_PADDING) {
      last.assign(p, stop);
      last.resize(room = size + simdjson::SIMDJSON_PADDING);
      line = last.data();
    }
    json::document document;
    if (auto error = parser.iterate(line, size, room).get(document)) {
      fprintf(stderr, "json: %s\n", simdjson::error_message(error));
      return 1;
    }
    sink.sum += take(std::move(document));
    ++sink.count;
    p = stop + 1;
  }
  sink.print();
  return 0;
}
