//===- GraphChecking.h - analyze whole programs in a test -------*- C++ -*-===//
//
// Programs are checked against the declarations of the toolkit.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <map>
#include <string>
#include <vector>

namespace sluice::test {

/// Files of an application directory: relative path to text.
using Files = std::map<std::string, std::string>;

/// What the analysis of a program gives, a line each: its problems as
/// `LINE: severity: message`, notes as `LINE: note: ...`; or, without errors,
/// warnings and the graph:
///   NAME = KIND[ catch](streams; streams) -> stream[values], ... {params}
std::string analyzed(const std::string &text, const std::string &main = "");

/// Likewise of `file` among `files`; lines of other files come as FILE:LINE. `toolkits` are
/// directories among the files.
std::string analyzedFile(const Files &files, const std::string &file, const std::string &main = "",
                         const std::vector<std::string> &toolkits = {});

/// Likewise with `toolkit` as the only file of the standard toolkit.
std::string analyzedWithToolkit(const std::string &toolkit, const std::string &text);

/// `body` as the graph clause of Main, with a source `stream<int32 n, rstring s>
/// In` above it: line 1 is the first line of `body`.
std::string inGraph(const std::string &body);

} // namespace sluice::test
