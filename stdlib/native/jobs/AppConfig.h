//===- AppConfig.h - application configurations -----------------*- C++ -*-===//
//
// Named sets of properties that a program reads while it runs, such as where a server is and the
// password for it. NAME is a file of Java properties, NAME.properties, in the folder that
// $SLUICE_APP_CONFIG names, or else in ~/.config/sluice/app-config. Only its owner may read it.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sluice {

using Properties = std::map<std::string, std::string, std::less<>>;

/// The text of a file of Java properties: `key = value` or `key: value`, with `#` and `!` before
/// comments, `\` before a line end that goes on, and escapes. Of equal keys the last one counts.
/// Nothing if a `\u` is not followed by four hexadecimal digits: `badLine` is then its line,
/// from 1.
std::optional<Properties> parseProperties(std::string_view text, uint32_t &badLine);

/// What a configuration has.
struct AppConfig {
  std::shared_ptr<const Properties> properties; // null: there is none of that name
  std::string problem;                          // why it cannot be used; empty: it can
};

/// As the file is at the moment. Any thread.
AppConfig appConfig(const std::string &name);

} // namespace sluice
