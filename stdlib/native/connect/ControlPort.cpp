//===- ControlPort.cpp - what tells an operator what to do ----------------===//
#include "stdlib/native/connect/ControlPort.h"

namespace sluice {

std::string placeOf(const NativeOp &op) {
  return std::string(op.desc->name) + " " + std::to_string(op.ctx->replica->region) + " " +
         std::to_string(op.ctx->replica->channel);
}

void ControlPort::put(std::string message) {
  os::Held held(lock);
  messages.push_back(std::move(message));
  static constexpr uint64_t kOne = 1;
  if (wakes >= 0)
    (void)!write(wakes, &kOne, sizeof kOne);
}

std::optional<std::string> ControlPort::take() {
  os::Held held(lock);
  if (messages.empty())
    return std::nullopt;
  std::string first = std::move(messages.front());
  messages.pop_front();
  return first;
}

void ControlPort::wakeBy(int descriptor) {
  os::Held held(lock);
  wakes = descriptor;
}

int32_t ControlInput::open() {
  std::string wrong = check(*desc->inTypes[0]);
  if (!wrong.empty())
    return sl_error(ctx, "%s", wrong.c_str());
  port = ControlPort::of(*this);
  return 0;
}

int32_t ControlInput::tuple(uint32_t, const void *tuple) {
  port->put(messageOf(tuple));
  return 0;
}

std::string ControlInput::check(const TypeDesc &type) {
  bool isText = type.count == 1 && type.fields[0].type->kind == Kind::RString;
  return isText ? "" : "the control port takes one attribute, an rstring";
}

std::string ControlInput::messageOf(const void *tuple) {
  return std::string(viewOf(*static_cast<const Str *>(tuple)));
}

} // namespace sluice
