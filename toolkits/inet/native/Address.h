//===- Address.h - URLs -----------------------------------------*- C++ -*-===//
#pragma once
#include <string>
#include <string_view>

namespace sluice::inet {

/// The URL for messages: without user, password, query and fragment, which may be secrets.
std::string shownUrl(std::string_view url);
/// The host that the URL names, without its port; empty: it names none.
std::string hostOf(std::string_view url);
/// The host with its port, if the URL names one.
std::string authorityOf(std::string_view url);

/// Letters, digits, `-`, `.`, `_` and `~` as they are, other bytes as %XX.
std::string encoded(std::string_view);
/// The same for a form: a blank is `+`.
std::string formEncoded(std::string_view);
/// %XX as the byte. What is no such escape stays as it is. `isForm`: `+` is a blank.
std::string decoded(std::string_view, bool isForm = false);

} // namespace sluice::inet
