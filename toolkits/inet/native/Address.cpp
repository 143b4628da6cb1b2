//===- Address.cpp - URLs -------------------------------------------------===//
#include "toolkits/inet/native/Address.h"

namespace sluice::inet {

namespace {
struct Parts {
  std::string_view scheme, authority, path; // with "://"; user, host and port; without the query
};
} // namespace

static Parts partsOf(std::string_view url) {
  Parts parts;
  size_t at = url.find("://");
  if (at != std::string_view::npos && url.find_first_of(":/?#@") == at) {
    parts.scheme = url.substr(0, at + 3);
    url.remove_prefix(at + 3);
  }
  url = url.substr(0, url.find_first_of("?#"));
  size_t slash = url.find('/');
  parts.authority = url.substr(0, slash);
  if (slash != std::string_view::npos)
    parts.path = url.substr(slash);
  return parts;
}

/// Without user and password.
static std::string_view withoutUser(std::string_view authority) {
  size_t at = authority.rfind('@');
  return at == std::string_view::npos ? authority : authority.substr(at + 1);
}

/// Where there is no port behind the first colon, a user and a password have signs in them that end
/// the part of the host: what follows them.
static std::string_view behindUser(std::string_view url) {
  std::string_view begin = url.substr(0, url.find_first_of("/?#"));
  size_t colon = begin.rfind(':'), at = url.rfind('@');
  bool isPort = colon == begin.npos || begin.starts_with('[') ||
                begin.find_first_not_of("0123456789", colon + 1) == begin.npos;
  return isPort || begin.find('@') != begin.npos || at == url.npos ? url : url.substr(at + 1);
}

std::string shownUrl(std::string_view url) {
  Parts parts = partsOf(url);
  if (std::string_view rest = url.substr(parts.scheme.size()); behindUser(rest) != rest) {
    std::string_view scheme = parts.scheme;
    parts = partsOf(behindUser(rest));
    parts.scheme = scheme;
  }
  std::string result(parts.scheme);
  result += withoutUser(parts.authority);
  for (char c : parts.path)
    result += static_cast<unsigned char>(c) < ' ' ? '?' : c;
  return result;
}

std::string authorityOf(std::string_view url) {
  return std::string(withoutUser(partsOf(url).authority));
}

std::string hostOf(std::string_view url) {
  std::string host = authorityOf(url);
  size_t end = host.starts_with("[") ? host.find(']') : std::string_view::npos;
  size_t colon = host.find(':', end == std::string_view::npos ? 0 : end);
  return host.substr(0, colon);
}

static bool isPlain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

static std::string encode(std::string_view text, bool isForm) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string result;
  result.reserve(text.size() + text.size() / 4);
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (isPlain(c))
      result += c;
    else if (isForm && c == ' ')
      result += '+';
    else
      (result += '%') += {kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return result;
}

std::string encoded(std::string_view text) { return encode(text, false); }
std::string formEncoded(std::string_view text) { return encode(text, true); }

/// The value of a hexadecimal digit; below 0: it is none.
static int digit(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

std::string decoded(std::string_view text, bool isForm) {
  std::string result;
  result.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    int high = -1, low = -1;
    if (text[i] == '%' && i + 2 < text.size()) {
      high = digit(text[i + 1]);
      low = digit(text[i + 2]);
    }
    if (high >= 0 && low >= 0) {
      result += char(high << 4 | low);
      i += 2;
    } else {
      result += isForm && text[i] == '+' ? ' ' : text[i];
    }
  }
  return result;
}

} // namespace sluice::inet
