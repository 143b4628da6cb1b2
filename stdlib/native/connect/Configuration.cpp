//===- Configuration.cpp - properties that an operator is told ------------===//
#include "stdlib/native/connect/Configuration.h"
#include "runtime/base/os.h"
#include <cerrno>
#include <fstream>
#include <iterator>
#include <utility>

int32_t sluice::readConfiguration(ParamOp &op, Properties &to) {
  if (!op.param("appConfigName"))
    return 0;
  std::string name = op.text("appConfigName", "");
  AppConfig config = appConfig(name);
  if (config.properties) {
    to = *config.properties;
    return 0;
  }
  std::string none = "there is no application configuration \"" + name + "\"";
  return sl_error(op.ctx, "appConfigName: %s",
                  config.problem.empty() ? none.c_str() : config.problem.c_str());
}

std::string sluice::readProperties(const ParamOp &op, std::string path, Properties &to) {
  if (!path.starts_with("/"))
    path = sl_app_dir(op.ctx) + ("/" + path);
  std::ifstream file(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (!file)
    return "cannot read " + path + ": " + os::errorText(errno);
  uint32_t badLine = 0;
  auto properties = parseProperties(text, badLine);
  if (!properties)
    return path + ":" + std::to_string(badLine) +
           ": \\u is not followed by four hexadecimal digits";
  to = std::move(*properties);
  return "";
}

int32_t sluice::readPropertiesFile(ParamOp &op, const char *parameter, Properties &to) {
  if (!op.param(parameter))
    return 0;
  std::string wrong = readProperties(op, op.text(parameter, ""), to);
  return wrong.empty() ? 0 : sl_error(op.ctx, "%s: %s", parameter, wrong.c_str());
}
