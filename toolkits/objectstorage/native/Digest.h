//===- Digest.h - what a signature says of a body ---------------*- C++ -*-===//
#pragma once
#include <string>
#include <string_view>

namespace sluice::objectstorage {

/// Whether OpenSSL's library is there. `missing`: what to install.
bool hasDigests(std::string &missing);
/// SHA-256 of bytes, as hexadecimal digits. hasDigests() was true.
std::string sha256(std::string_view);

} // namespace sluice::objectstorage
