//===- HostReader.h - reads what a host says --------------------*- C++ -*-===//
//
// No calls of the operating system: bytes come from an Input, and a HostListener is told. Lengths
// are checked before memory is taken.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/remote/host/HostWire.h"
#include <string>

namespace sluice::remote {

class Input {
public:
  virtual ~Input() = default;
  /// Waits for so many bytes. False: there are not so many.
  virtual bool read(void *to, size_t bytes) = 0;
};

/// What a host says. What is wrong with it, as a sentence; empty: nothing.
class HostListener {
public:
  virtual ~HostListener() = default;
  virtual std::string hello(const HostHello &) = 0;
  virtual std::string begin(uint64_t checkpoint, std::string state) = 0;
  /// Memory for a frame of a link. Null: `wrong` says why there is none.
  virtual void *place(const HostLink &, size_t bytes, std::string &wrong) = 0;
  /// The frame is in the memory that was asked for last.
  virtual void arrived() = 0;
  virtual std::string ended(const HostLink &) = 0;
  /// Its sender has ended without the end of the stream.
  virtual std::string gone(const HostLink &) = 0;
  /// Cut, Committed, Stop, Close.
  virtual void ordered(HostFrame, uint64_t number) = 0;
};

class HostReader {
public:
  HostReader(Input &input, HostListener &listener) : input(input), listener(listener) {}

  enum class Result { Read, Over, Wrong };
  /// Reads one frame. Over: there is none any more. Wrong: `problem` says what is.
  Result next(std::string &problem);
  bool hasBegun() const { return phase == Phase::Run; }

private:
  enum class Phase { Hello, Restore, Run };
  Result read(HostFrame, uint32_t bytes, std::string &problem);
  template <class T> bool take(T &, uint32_t bytes, std::string &problem);
  bool takeState(uint32_t bytes);
  Result takeData(uint32_t bytes, std::string &problem);

  Input &input;
  HostListener &listener;
  Phase phase = Phase::Hello;
  std::string state; // that came until now
};

} // namespace sluice::remote
