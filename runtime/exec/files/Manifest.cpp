//===- Manifest.cpp - what a checkpoint is of -------------------------------===//
#include "runtime/exec/files/Manifest.h"
#include "runtime/base/hash/Digest.h"
#include "runtime/base/process.h"
#include <charconv>
#include <cstdio>

namespace sluice::checkpoint {

bool Manifest::isOfOtherBoot() const { return boot != os::bootNumber(); }

static constexpr std::string_view kFirst = "sluice-checkpoint 2";

static std::string hex(uint64_t number) {
  char text[20];
  snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(number));
  return text;
}

/// Values may have any characters; a line has no end of line in it.
static std::string escaped(std::string_view text) {
  std::string result;
  for (char c : text)
    if (c == '\n' || c == '\\')
      result += c == '\n' ? "\\n" : "\\\\";
    else
      result += c;
  return result;
}

static std::string unescaped(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\\' && i + 1 < text.size())
      result += text[++i] == 'n' ? '\n' : text[i];
    else
      result += text[i];
  return result;
}

std::string writeManifest(const Manifest &m) {
  std::string text(kFirst);
  text += "\nnumber " + std::to_string(m.number) + "\nprogram " + escaped(m.program) +
          "\nseconds " + std::to_string(m.seconds) + "\nend " + (m.isEnd ? "1" : "0") + "\nasked " +
          (m.isAsked ? "1" : "0") + "\nboot " + hex(m.boot) + "\nstopped " +
          std::to_string(m.stopped) + "\n";
  for (const Manifest::File &file : m.files)
    text += "file " + file.name + " " + std::to_string(file.bytes) + " " + hex(file.digest) + "\n";
  for (auto &[name, value] : m.values)
    text += "value " + name + "=" + escaped(value) + "\n";
  return text + "check " + hex(digestOf(text.data(), text.size())) + "\n";
}

template <typename T> static bool number(std::string_view text, T &to, int base = 10) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), to, base);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

static bool readFile(std::string_view text, Manifest &m) {
  size_t bytes = text.find(' '), digest = text.rfind(' ');
  Manifest::File file;
  if (bytes == text.npos || digest <= bytes ||
      !number(text.substr(bytes + 1, digest - bytes - 1), file.bytes) ||
      !number(text.substr(digest + 1), file.digest, 16))
    return false;
  file.name = text.substr(0, bytes);
  m.files.push_back(std::move(file));
  return true;
}

static bool readLine(std::string_view key, std::string_view rest, Manifest &m) {
  if (key == "number")
    return number(rest, m.number);
  if (key == "program")
    return m.program = unescaped(rest), true;
  if (key == "seconds")
    return number(rest, m.seconds);
  if (key == "end")
    return m.isEnd = rest == "1", true;
  if (key == "asked")
    return m.isAsked = rest == "1", true;
  if (key == "boot")
    return number(rest, m.boot, 16);
  if (key == "stopped")
    return number(rest, m.stopped);
  if (key == "file")
    return readFile(rest, m);
  size_t equals = rest.find('=');
  if (key != "value" || equals == rest.npos)
    return false;
  m.values.emplace_back(rest.substr(0, equals), unescaped(rest.substr(equals + 1)));
  return true;
}

std::string readManifest(std::string_view text, Manifest &m) {
  size_t check = text.rfind("check ");
  if (!text.starts_with(std::string(kFirst) + "\n"))
    return "it is not the MANIFEST of a checkpoint that this version reads";
  if (check == text.npos ||
      text.substr(check) != "check " + hex(digestOf(text.data(), check)) + "\n")
    return "its bytes have changed";
  std::string_view lines = text.substr(kFirst.size() + 1, check - kFirst.size() - 1);
  while (!lines.empty()) {
    std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(line.size() + 1, lines.size()));
    size_t space = line.find(' ');
    if (space == line.npos || !readLine(line.substr(0, space), line.substr(space + 1), m))
      return "this line cannot be read: " + std::string(line);
  }
  return "";
}

} // namespace sluice::checkpoint
