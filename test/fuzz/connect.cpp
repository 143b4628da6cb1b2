//===- connect.cpp - fuzzing what connectors read -------------------------===//
//
// The first byte says who reads: properties, URLs and SQL of users, what control ports get, what
// servers of S3, PostgreSQL and Kafka say. Nothing reads beyond the input, no message has a
// password, and what is taken is the same when it is written and read again.
//
//===----------------------------------------------------------------------===//
#include "Row.h"
#include "stdlib/native/jobs/AppConfig.h"
#include "toolkits/jdbc/native/Address.h"
#include "toolkits/jdbc/native/Statement.h"
#include "toolkits/jdbc/native/Values.h"
#include "toolkits/kafka/native/Settings.h"
#include "toolkits/kafka/native/Values.h"
#include "toolkits/kafka/operators/KafkaConsumer/Orders.h"
#include "toolkits/mqtt/native/Place.h"
#include "toolkits/mqtt/operators/MQTTSource/Topics.h"
#include "toolkits/objectstorage/native/Elements.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>

using namespace sluice;
using namespace sluice::test;

constexpr std::string_view kSecret = "geheim42";

static void demand(bool holds, const char *what) {
  if (holds)
    return;
  fprintf(stderr, "%s\n", what);
  abort();
}

/// Properties of Java's client for Kafka.
static void properties(std::string_view text) {
  uint32_t badLine = 0;
  auto parsed = parseProperties(text, badLine);
  auto lines = size_t(std::count(text.begin(), text.end(), '\n') +
                      std::count(text.begin(), text.end(), '\r')) +
               1;
  demand(parsed || (badLine > 0 && badLine <= lines), "no such line");
  Properties known;
  for (const auto &[name, value] : parsed.value_or(Properties()))
    kafka::translate(name, value, known);
  std::string login = "org.apache.kafka.common.security.plain.PlainLoginModule required "
                      "username=\"u\" password=\"" +
                      std::string(kSecret) + "\" ";
  std::string wrong = kafka::translate("sasl.jaas.config", login + std::string(text), known);
  demand(wrong.find(kSecret) == wrong.npos, "a password is shown");
}

static void orders(std::string_view text) {
  kafka::Order order;
  if (kafka::parseOrder(std::string(text), order).empty())
    for (const kafka::Order::Part &part : order.parts)
      demand(part.partition >= 0, "no partition");
}

/// Keys and messages of Kafka.
static void messages(std::string_view bytes) {
  static const TypeDesc *types[] = {&rstring, &blob, &int32, &int64, &float32, &float64};
  for (const TypeDesc *type : types) {
    alignas(8) char tuple[16] = {};
    char scratch[8];
    Field field = {"f", type, 0, 0};
    if (kafka::setBytes(field, bytes, tuple))
      demand(kafka::bytesOf(field, tuple, scratch) == bytes, "not the same bytes again");
  }
}

static void addresses(std::string_view text) {
  std::string rest(text), secret(kSecret);
  for (const std::string &url :
       {rest, "jdbc:postgresql:" + rest, "jdbc:postgresql://h/d?" + rest,
        "jdbc:postgresql://h/d?password=" + secret + "&" + rest, "jdbc:" + rest + secret}) {
    jdbc::Address address;
    std::string wrong = address.parse(url);
    demand(wrong.find(kSecret) == wrong.npos, "a password is shown");
  }
}

static void statements(std::string_view text) {
  jdbc::Statement once = jdbc::Statement::parse(text);
  demand(once.parameters <= std::count(text.begin(), text.end(), '?'), "too many parameters");
  for (uint32_t i = 1; i <= once.parameters; ++i)
    demand(once.sql.find("$" + std::to_string(i)) != once.sql.npos, "a parameter is missing");
  demand(once.table.empty() || once.columns.size() == once.parameters, "columns are missing");
  once.copy();
}

/// Columns of PostgreSQL.
static void columns(std::string_view text) {
  static const TypeDesc *types[] = {&boolean,   &int8,   &int16,   &int32,   &int64,
                                    &uint8,     &uint64, &float32, &float64, &rstring,
                                    &timestamp, &colour, &blob,    &ustring};
  for (const TypeDesc *type : types) {
    World world;
    alignas(16) char value[32] = {}, again[32] = {};
    if (!jdbc::setText(*type, text, value, world.arena))
      continue;
    TextOut first, second;
    jdbc::putText(first, *type, value);
    demand(jdbc::setText(*type, first.view(), again, world.arena), "not taken again");
    jdbc::putText(second, *type, again);
    demand(first.view() == second.view(), "not the same again");
  }
  TextOut escaped;
  jdbc::putEscaped(escaped, text);
  std::string_view line = escaped.view();
  demand(line.find('\n') == line.npos && line.find('\t') == line.npos, "the end of a value in it");
}

static void control(std::string_view text) {
  std::string message(text);
  mqtt::Topics topics;
  topics.levels["a"] = 1;
  topics.obey(message, [](const std::string &, int level) {
    demand(level >= -1 && level <= 2, "no such QoS");
  });
  Properties config;
  mqtt::configOf(message, config);
  config["serverURI"] = message;
  mqtt::Place place;
  if (place.read(config, "/").empty())
    demand(!place.endpoint.host.empty(), "no host");
}

/// What servers of S3 answer.
static void elements(std::string_view text) {
  for (const objectstorage::Element &each : objectstorage::elementsOf(text))
    demand(!each.name.empty(), "an element without a name");
  std::string document = "<r><a>" + objectstorage::escaped(text) + "</a></r>";
  auto found = objectstorage::elementsOf(document);
  bool isPlain = std::none_of(text.begin(), text.end(), [](unsigned char c) { return c == '\r'; });
  demand(found.empty() || !isPlain || found[0].text == text, "not the same text again");
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static constexpr void (*readers[])(std::string_view) = {properties, orders,  messages, addresses,
                                                          statements, columns, control,  elements};
  if (!size)
    return 0;
  std::vector<char> exact(data + 1, data + size); // reading beyond it is found
  readers[data[0] % std::size(readers)]({exact.data(), exact.size()});
  return 0;
}
