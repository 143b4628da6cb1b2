//===- MoveFile.h - moving a file into a directory --------------*- C++ -*-===//
#pragma once
#include <string>

namespace sluice {

/// 0, or a (negative) errno: the path is no directory that files can be moved to.
int checkDirectory(const std::string &path);

/// Moves a file into a directory, which may be in another file system: then it is copied into the
/// directory `.rename` there first, so that nobody sees a part of it. 0, or a negative errno.
int moveFile(const std::string &file, const std::string &directory);

} // namespace sluice
