//===- Address.h - where a database is, and who asks ------------*- C++ -*-===//
#pragma once
#include "stdlib/native/connect/Configuration.h"

namespace sluice::jdbc {

/// A database, and what libpq is to be told to get in.
struct Address {
  /// From the parameters jdbcUrl, jdbcUser, jdbcPassword, jdbcProperties, appConfigName, and those
  /// for SSL. A file counts more than parameters, those more than the configuration. Handler return
  /// values.
  int32_t read(ParamOp &);
  /// Takes over `jdbc:postgresql://host:port/db?name=value&...`. What is wrong, without the values
  /// of properties; or empty.
  std::string parse(std::string_view url);

  Properties settings;  // as libpq names them
  std::string shown;    // for messages: host:port/database
  double patience = 10; // s, for a connection to be made
};

} // namespace sluice::jdbc
