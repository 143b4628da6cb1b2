//===- TemporaryFile.h - a file for a while ---------------------*- C++ -*-===//
#pragma once
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include <string>
#include <utility>

namespace sluice {

/// A new empty file in the folder for such files. It is gone when this is, or when a signal ends
/// the process.
class TemporaryFile {
public:
  static llvm::Expected<TemporaryFile> make(llvm::StringRef ending) {
    llvm::SmallString<128> path;
    // A name that is known to the handlers of signals before there is such a file.
    std::error_code error = llvm::sys::fs::getPotentiallyUniqueTempFileName("sluice", ending, path);
    if (!error) {
      llvm::sys::RemoveFileOnSignal(path);
      int fd;
      error = llvm::sys::fs::openFileForWrite(path, fd, llvm::sys::fs::CD_CreateNew);
      if (!error)
        llvm::sys::Process::SafelyCloseFileDescriptor(fd);
      else
        llvm::sys::DontRemoveFileOnSignal(path);
    }
    if (error) {
      llvm::SmallString<128> folder;
      llvm::sys::path::system_temp_directory(/*erasedOnReboot=*/true, folder);
      return llvm::createStringError("cannot make a temporary file in " + folder.str() + ": " +
                                     error.message());
    }
    return TemporaryFile(std::string(path));
  }
  TemporaryFile(TemporaryFile &&other) : name(std::exchange(other.name, "")) {}
  ~TemporaryFile() {
    if (name.empty())
      return;
    llvm::sys::fs::remove(name);
    llvm::sys::DontRemoveFileOnSignal(name);
  }
  const std::string &path() const { return name; }

private:
  explicit TemporaryFile(std::string name) : name(std::move(name)) {}
  std::string name;
};

} // namespace sluice
