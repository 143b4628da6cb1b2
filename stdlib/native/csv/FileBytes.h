//===- FileBytes.h - the bytes of a file ------------------------*- C++ -*-===//
//
// They are unpacked on the way, and text in another encoding becomes UTF-8. A file that is followed
// has no end while it is the one of its name: more is waited for. It ends when it has become
// shorter, or when another file has got its name and nothing more is in it.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "stdlib/native/csv/Conversion.h"
#include <memory>
#include <string>

namespace sluice {

class FileBytes {
public:
  /// `op`: who reads, and waits while there is nothing to read; null: a blocking read waits, and
  /// no file is followed. Its context differs from thread to thread, so that it is asked for at
  /// each wait.
  explicit FileBytes(const NativeOp *op);
  ~FileBytes();
  FileBytes(const FileBytes &) = delete;

  struct How {
    Conversion from = {};
    bool follows = false;
  };
  /// 0, or a negative errno. May be opened again after close().
  int open(const std::string &path, How);
  /// A socket whose reads do not wait. It stays open when this is closed.
  void openSocket(int fd, How);
  void close();
  /// After open(): as LineReader::goTo().
  int goTo(uint64_t position);
  /// How many bytes it has put there; 0: it has ended, or was stopped; below 0: error().
  int64_t read(char *to, size_t room);
  /// The program ends, and the file may have more.
  bool isStopped() const { return stopped; }
  const std::string &error() const { return message; }
  /// Bytes of the file as it is now; below 0: not known.
  int64_t size() const;
  /// It can be read again from its beginning.
  bool isRegular() const { return regular; }

private:
  struct Packed;
  struct Encoded;
  void begin(int fd, How);
  int64_t readRaw(char *to, size_t room);
  int64_t readUnpacked(char *to, size_t room);
  int64_t readDecoded(char *to, size_t room);
  bool hasEnded() const;

  const NativeOp *op;
  int fd = -1;
  bool isOwn = true, regular = true, follows = false, stopped = false;
  std::string path, message;
  int64_t taken = 0; // bytes of the file, as they are there
  std::unique_ptr<Packed> packed;
  std::unique_ptr<Encoded> encoded;
};

} // namespace sluice
