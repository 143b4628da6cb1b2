//===- MoveFile.h - moving a file into a directory --------------*- C++ -*-===//
#pragma once
#include <string>

namespace sluice {

/// 0, or a (negative) errno: the path is no directory whose files can be listed, or that files can
/// be moved to or from (`moves`).
int checkDirectory(const std::string &path, bool moves = true);

/// Moves a file into a directory, which may be in another file system: then it is copied into the
/// directory `.rename` there first, so that nobody sees a part of it. 0, or a negative errno.
int moveFile(const std::string &file, const std::string &directory);

} // namespace sluice
