//===- UcxWorker.h - messages by UCX, loaded when they are needed -----*- C++ -*-===//
//
// UcxWorker.cpp is the only file that sees UCX's header. The library is opened at run time, so that
// a program of one process neither needs nor links it. It must be opened after fork(), in the PE.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/remote/carrier/Worker.h"
#include <optional>
#include <string>

namespace sluice::remote {

/// Opens UCX. What is wrong, if it cannot be used. Sets environment variables of UCX that the user
/// has not set, so no other thread may run when it is called first.
std::optional<std::string> loadUcx();

/// Whether this machine has devices by which one process writes to the memory of another one on
/// another machine.
bool hasRdma();

class UcxWorker : public Worker {
public:
  /// Null, and `error` says why. Sets environment variables, as loadUcx() does.
  static std::unique_ptr<UcxWorker> make(const WorkerOptions &, std::string &error);
  ~UcxWorker() override;

  /// What the other end needs for connect().
  std::span<const std::byte> address() const;
  /// What is wrong, if there is no way to the other end.
  std::optional<std::string> connect(std::span<const std::byte> address);

  Operation send(uint64_t tag, std::span<const Piece> message) override;
  Operation receive(uint64_t tag, uint64_t mask, void *to, size_t bytes) override;
  Progress check(Operation &) override;
  Progress check(Operation &, Received &) override;
  bool progress() override;
  bool isGone() const override { return false; } // the control socket tells
  bool lingers() const override { return true; }
  int descriptor() const override;
  bool arm() override;

private:
  UcxWorker();
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace sluice::remote
