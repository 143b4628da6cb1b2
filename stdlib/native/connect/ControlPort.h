//===- ControlPort.h - what tells an operator what to do --------*- C++ -*-===//
//
// A native operator with a control port is two operators of one name (detachInput): one that has a
// parameter `$control`, and one that hands it what has come.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/base/os.h"
#include "stdlib/native/Params.h"
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace sluice {

/// What the halves of an operator have in common, and no other: its name, and its channel.
std::string placeOf(const NativeOp &);

/// An object that they share, of each class one.
template <typename T> std::shared_ptr<T> sharedBy(const NativeOp &op) {
  static os::Lock lock;
  static std::map<std::string, std::weak_ptr<T>> all;
  os::Held held(lock);
  std::weak_ptr<T> &known = all[placeOf(op)];
  std::shared_ptr<T> object = known.lock();
  if (!object)
    known = object = std::make_shared<T>();
  return object;
}

/// Messages from the port to the operator. Any thread.
class ControlPort {
public:
  /// That of the operator, in this channel of its regions. Both halves have it.
  static std::shared_ptr<ControlPort> of(const NativeOp &op) { return sharedBy<ControlPort>(op); }

  void put(std::string message);
  std::optional<std::string> take();
  /// An eventfd that the operator waits at: put() makes it readable. Below 0: there is none any
  /// more.
  void wakeBy(int descriptor);

private:
  os::Lock lock; // guards what is below
  std::deque<std::string> messages;
  int wakes = -1;
};

/// The half that takes the tuples.
class ControlInput : public ParamOp {
public:
  Saves saves() const override { return Saves::Stateless; }
  int32_t open() override;
  int32_t tuple(uint32_t, const void *) override;

protected:
  /// A tuple as a message: its only attribute, an rstring.
  virtual std::string messageOf(const void *tuple);
  /// What is wrong with the type; empty: nothing.
  virtual std::string check(const TypeDesc &);

private:
  std::shared_ptr<ControlPort> port;
};

} // namespace sluice
