//===- Settings.cpp - properties of a Kafka client ------------------------===//
#include "toolkits/kafka/native/Settings.h"
#include <cstdlib>
#include <cstring>

namespace sluice::kafka {

namespace {
/// A property of Java's client that librdkafka does not have by this name. Without a `name` it
/// means nothing here.
struct Renamed {
  std::string_view java;
  const char *name;
};
} // namespace

static constexpr Renamed kRenamed[] = {
    {"auto.commit.interval.ms", nullptr}, // parameters of the operator say when it commits
    {"auto.include.jmx.reporter", nullptr},
    {"enable.auto.commit", nullptr},
    {"exclude.internal.topics", nullptr},
    {"fetch.max.wait.ms", "fetch.wait.max.ms"},
    {"interceptor.classes", nullptr},
    {"key.deserializer", nullptr}, // types of attributes say how
    {"key.serializer", nullptr},
    {"max.block.ms", nullptr}, // it waits as long as it takes
    {"max.poll.records", nullptr},
    {"max.request.size", "message.max.bytes"},
    {"metric.reporters", nullptr},
    {"metrics.num.samples", nullptr},
    {"metrics.recording.level", nullptr},
    {"metrics.sample.window.ms", nullptr},
    {"receive.buffer.bytes", "socket.receive.buffer.bytes"},
    {"sasl.mechanism", "sasl.mechanisms"},
    {"send.buffer.bytes", "socket.send.buffer.bytes"},
    {"ssl.enabled.protocols", nullptr},
    {"ssl.keystore.type", nullptr},
    {"ssl.protocol", nullptr},
    {"ssl.secure.random.implementation", nullptr},
    {"ssl.truststore.location", "ssl.ca.location"},
    {"ssl.truststore.password", nullptr},
    {"ssl.truststore.type", nullptr},
    {"value.deserializer", nullptr},
    {"value.serializer", nullptr},
};

/// The value of `name="..."` or `name='...'` in a JAAS configuration.
static std::string jaasValue(const std::string &text, const char *name) {
  size_t at = text.find(std::string(name) + "=");
  if (at == std::string::npos)
    return "";
  at += strlen(name) + 1;
  char quote = at < text.size() ? text[at] : ' ';
  if (quote != '"' && quote != '\'')
    return text.substr(at, text.find_first_of(" ;", at) - at);
  return text.substr(at + 1, text.find(quote, at + 1) - at - 1);
}

/// Java names classes: org.apache.kafka.clients.consumer.RangeAssignor.
static std::string assignors(const std::string &classes) {
  std::string result;
  for (auto [java, name] : {std::pair{"RangeAssignor", "range"},
                            {"RoundRobinAssignor", "roundrobin"},
                            {"CooperativeStickyAssignor", "cooperative-sticky"}})
    if (classes.find(java) != std::string::npos)
      result += (result.empty() ? "" : ",") + std::string(name);
  return result.empty() ? classes : result;
}

static bool isKeyStore(const std::string &path) {
  return path.ends_with(".jks") || path.ends_with(".JKS");
}

std::string translate(const std::string &name, const std::string &value, Properties &to) {
  if (name == "sasl.jaas.config") {
    to["sasl.username"] = jaasValue(value, "username");
    to["sasl.password"] = jaasValue(value, "password");
    return "";
  }
  if (name == "buffer.memory") {
    to["queue.buffering.max.kbytes"] = std::to_string(strtoull(value.c_str(), nullptr, 10) / 1024);
    return "";
  }
  if (name == "partition.assignment.strategy") {
    to[name] = assignors(value);
    return "";
  }
  if (name.ends_with("store.location") && isKeyStore(value))
    return name + " is a Java key store, which librdkafka cannot read; as a PEM file it can: " +
           "keytool -importkeystore -srckeystore " + value +
           " -destkeystore store.p12 -deststoretype pkcs12; openssl pkcs12 -in store.p12 -out "
           "store.pem";
  for (const Renamed &renamed : kRenamed)
    if (renamed.java == name) {
      if (renamed.name)
        to[renamed.name] = value;
      return "";
    }
  to[name] = value;
  return "";
}

/// Takes over what a file or a configuration says.
static int32_t take(ParamOp &op, const char *parameter, const Properties &properties,
                    Properties &to) {
  for (const auto &[name, value] : properties)
    if (std::string wrong = translate(name, value, to); !wrong.empty())
      return sl_error(op.ctx, "%s \"%s\": %s", parameter, op.text(parameter, "").c_str(),
                      wrong.c_str());
  return 0;
}

int32_t Settings::read(ParamOp &op) {
  Properties ofConfiguration, ofFile;
  if (readConfiguration(op, ofConfiguration) || readPropertiesFile(op, "propertiesFile", ofFile) ||
      take(op, "appConfigName", ofConfiguration, properties) ||
      take(op, "propertiesFile", ofFile, properties))
    return 1;
  if (op.param("clientId"))
    set("client.id", op.text("clientId", ""));
  if (!has("bootstrap.servers"))
    return sl_error(op.ctx, "nothing says where Kafka is: set bootstrap.servers in propertiesFile "
                            "or in the application configuration that appConfigName names");
  return 0;
}

rd_kafka_t *makeClient(const Library &lib, rd_kafka_type_t type, rd_kafka_conf_t *conf,
                       const Settings &settings, std::string &wrong) {
  lib.rd_kafka_conf_set_log_cb(conf, [](const rd_kafka_t *, int, const char *, const char *) {});
  char why[512];
  for (const auto &[name, value] : settings.properties)
    if (lib.rd_kafka_conf_set(conf, name.c_str(), value.c_str(), why, sizeof why) !=
        RD_KAFKA_CONF_OK) {
      lib.rd_kafka_conf_destroy(conf);
      // Not `why`, which has the value.
      wrong = "librdkafka does not take the property " + name +
              ": it has none of this name, or the value is none of it";
      return nullptr;
    }
  rd_kafka_t *client = lib.rd_kafka_new(type, conf, why, sizeof why);
  if (!client) {
    lib.rd_kafka_conf_destroy(conf);
    wrong = std::string("librdkafka cannot begin: ") + why;
  }
  return client;
}

} // namespace sluice::kafka
