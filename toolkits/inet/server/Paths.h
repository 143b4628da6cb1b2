//===- Paths.h - what clients send, before it is believed -------*- C++ -*-===//
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::inet {

/// The values of a form or of a query by their names, in their order.
using FormValues = std::multimap<std::string, std::string, std::less<>>;
FormValues formValues(std::string_view);

/// The file of a folder for the path of a URL, which is decoded; empty: it leads out of the folder,
/// or names no file that is served.
std::string fileFor(const std::string &folder, std::string_view path);
const char *contentTypeOf(std::string_view file);

/// The host of a header Host or Origin, without scheme and port, in small letters.
std::string hostIn(std::string_view header);
/// Whether a request may come: its Host is a name of this machine (unless `isOpen`, where any is),
/// and it comes from no page of another host. Else pages of others could use the program.
bool maySend(std::string_view host, std::string_view origin, bool isOpen);

} // namespace sluice::inet
