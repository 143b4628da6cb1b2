//===- Settings.h - properties of a Kafka client ----------------*- C++ -*-===//
//
// Users write properties as Java's client has them, in a file or an application configuration.
// librdkafka calls most of them the same; a table has the others.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "stdlib/native/connect/Configuration.h"
#include "toolkits/kafka/native/Library.h"

namespace sluice::kafka {

/// What librdkafka is to be told.
struct Settings {
  /// From the parameters propertiesFile, appConfigName and clientId. Of a property that is in both,
  /// that in the file counts. Handler return values.
  int32_t read(ParamOp &);
  /// Unless it is set.
  void byDefault(const char *name, const std::string &value) { properties.emplace(name, value); }
  void set(const char *name, const std::string &value) { properties[name] = value; }
  bool has(std::string_view name) const { return properties.contains(name); }

  Properties properties; // as librdkafka names them
};

/// Translates one property of Java's client. Adds what librdkafka is to be told to `to`, which may
/// be nothing. What is wrong with it, or empty.
std::string translate(const std::string &name, const std::string &value, Properties &to);

/// A client with these settings. `conf` has the callbacks and becomes the client's, or is
/// destroyed. Null: `wrong` says why.
rd_kafka_t *makeClient(const Library &, rd_kafka_type_t, rd_kafka_conf_t *, const Settings &,
                       std::string &wrong);

} // namespace sluice::kafka
