//===- Polling.h - a text that is asked for again and again -----*- C++ -*-===//
#pragma once
#include "sluice/metrics.h"
#include "stdlib/native/connect/Retry.h"
#include "toolkits/inet/native/Attributes.h"
#include "toolkits/inet/native/Client.h"

namespace sluice::inet {

class Polling : public ParamOp {
public:
  enum class Content { Text, Xml };
  Polling(const char *accepted, Content content) : accepted(accepted), content(content) {}
  Saves saves() const override { return Saves::Stateless; }
  int32_t open() override;
  int32_t process() override;

private:
  int32_t fetch(bool &isThere);

  const char *accepted; // content types
  Content content;
  Client client;
  Request request;
  std::string shown; // the URL
  const Field *to = nullptr;
  Warnings warnings;
  Metric *failures = nullptr;
};

} // namespace sluice::inet
