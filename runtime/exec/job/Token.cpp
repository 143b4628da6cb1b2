//===- Token.cpp - the file of a job's secret -----------------------------===//
#include "runtime/exec/job/Token.h"
#include "runtime/base/os.h"
#include "runtime/base/process.h"
#include <cerrno>
#include <charconv>

namespace sluice {

std::string readTokenFile(const std::string &path, Token &token) {
  std::string text;
  int result = os::readPrivateFile(path, text);
  if (result == os::kNotPrivate)
    return path + " can be read by others, and who has it can join the job: chmod 600 " + path;
  if (result < 0)
    return path + ": " + os::errorText(-result);
  while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
    text.pop_back();
  bool fits = text.size() == 2 * token.size();
  for (size_t i = 0; fits && i < token.size(); ++i) {
    const char *from = text.data() + 2 * i;
    fits = std::from_chars(from, from + 2, token[i], 16).ptr == from + 2;
  }
  return fits ? "" : path + " is no token: 64 hexadecimal digits, as `openssl rand -hex 32` prints";
}

std::string makeTokenFile(const std::string &path, const Token &token) {
  std::string text;
  for (uint8_t byte : token)
    for (int shift : {4, 0})
      text += "0123456789abcdef"[byte >> shift & 15];
  int result = os::makePrivateFile(path, text + "\n");
  if (Token there; result == -EEXIST)
    return readTokenFile(path, there);
  return result ? path + ": " + os::errorText(-result) : "";
}

} // namespace sluice
