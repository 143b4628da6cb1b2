//===- Address.h - where a database is, and who asks ------------*- C++ -*-===//
#pragma once
#include "stdlib/native/connect/Configuration.h"

namespace sluice::jdbc {

/// Where a database is and who asks, which may be said in several places.
struct Login {
  /// What properties have of it.
  void take(const Properties &);

  std::string url, user, password;
};

/// A database, and what libpq is to be told to get in.
struct Address {
  /// From the parameters jdbcUrl, jdbcUser, jdbcPassword, jdbcProperties, credentials,
  /// appConfigName, and those for SSL. Credentials and a file count more than parameters, those
  /// more than the configuration. Handler return values.
  int32_t read(ParamOp &);
  /// Becomes another, as an object of JSON says: jdbcUrl, jdbcUser, jdbcPassword, jdbcProperties,
  /// credentials; what it does not have stays. What is wrong, and all stays; or empty.
  std::string follow(ParamOp &, const std::string &json);
  /// Takes over `jdbc:postgresql://host:port/db?name=value&...`. What is wrong, without the values
  /// of properties; or empty.
  std::string parse(std::string_view url);

  Properties settings;  // as libpq names them
  std::string shown;    // for messages: host:port/database
  std::string options;  // of sessions, whatever the database; before read()
  double patience = 10; // s, for a connection to be made

private:
  std::string use(ParamOp &);

  Login login;
};

} // namespace sluice::jdbc
