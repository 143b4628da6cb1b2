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

int32_t sluice::readPropertiesFile(ParamOp &op, const char *parameter, Properties &to) {
  if (!op.param(parameter))
    return 0;
  std::string path = op.appPath(parameter);
  std::ifstream file(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (!file)
    return sl_error(op.ctx, "%s: cannot read %s: %s", parameter, path.c_str(),
                    os::errorText(errno).c_str());
  uint32_t badLine = 0;
  auto properties = parseProperties(text, badLine);
  if (!properties)
    return sl_error(op.ctx, "%s: %s:%u: \\u is not followed by four hexadecimal digits", parameter,
                    path.c_str(), badLine);
  to = std::move(*properties);
  return 0;
}
