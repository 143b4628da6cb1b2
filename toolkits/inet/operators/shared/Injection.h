//===- Injection.h - tuples that clients post -------------------*- C++ -*-===//
#pragma once
#include "toolkits/inet/operators/shared/Inbox.h"
#include "toolkits/inet/operators/shared/Serving.h"

namespace sluice::inet {

/// A source whose output ports have a path each: a request there is a tuple.
class Injection : public ParamOp {
public:
  /// `most`: kB that a request may have without the parameter maxContentSize.
  explicit Injection(uint32_t most = 200) : most(most) {}
  ~Injection() { serving.close(); }
  Saves saves() const override { return Saves::Stateless; }
  bool hasSavePoints() const override { return true; }
  bool finishes() const override { return true; }
  int32_t open() override;
  int32_t process() override;
  int32_t close() override;

protected:
  /// Handler return values.
  virtual int32_t layOut(uint32_t port) = 0;
  /// What is wrong with a body, by the thread of the server; or empty.
  virtual Reply check(uint32_t port, const Asked &) = 0;
  /// Fills a tuple from a request that was checked. What it points to is in the arena or in the
  /// request.
  virtual void fill(uint32_t port, const Asked &, char *tuple, Arena &) = 0;
  /// More paths of a port. Handler return values.
  virtual int32_t serveMore(uint32_t) { return 0; }

  Serving serving;

private:
  Reply answer(uint32_t port, const Asked &);
  int32_t submitLetter(const Letter &);

  const uint32_t most;
  Inbox inbox;
};

/// Whether a request has this content type, whatever follows it.
bool hasType(const Asked &, std::string_view type);

constexpr unsigned kTaken = 204; // the status where all is well

} // namespace sluice::inet
