//===- HostMember.cpp - makes the checkpoints that a host asks for ----------===//
#include "runtime/exec/member/HostMember.h"
#include "runtime/exec/checkpoint/Consistency.h"
#include "runtime/exec/job/Job.h"
#include "runtime/exec/member/Packed.h"
#include "runtime/exec/state/Program.h"
#include <algorithm>
#include <utility>

namespace sluice::member {

using checkpoint::Order;
using checkpoint::Step;
using remote::HostFrame;

static constexpr int64_t kFirstLook = 20'000, kLook = 500'000; // ns between two looks

HostMember::HostMember(Program &p)
    : Checkpoints(p), pipe(*p.options.job->host), patience(checkpoint::paceOf(p).patience) {}

int32_t HostMember::open() {
  const uint64_t number = pipe.checkpoint();
  noteStart(number, {.count = pipe.relaunches(), .attempts = 0, .from = number});
  if (pipe.state().empty())
    return 0;
  checkpoint::Manifest manifest;
  std::vector<checkpoint::Section> sections;
  if (std::string wrong = unpack(pipe.state(), manifest, sections); !wrong.empty())
    return fail("checkpoint " + std::to_string(number) + " of the host cannot be used: " + wrong);
  manifest.number = number;
  return take(std::move(manifest), std::move(sections));
}

/// Waits until nothing is under way here: all that came before the order was taken, and sources
/// stay. The host sends nothing until it has the answer. What is wrong; empty: nothing.
std::string HostMember::awaitStill(uint64_t received) {
  const int64_t began = os::now();
  os::Event never;
  for (int64_t nanos = kFirstLook;; nanos = std::min(2 * nanos, kLook)) {
    checkpoint::Answer a = local.carryOut({Step::Look});
    if (a.failed)
      return "the program has failed";
    if (a.received == received && a.isStill)
      return "";
    if (os::now() - began > patience) {
      std::string moving = local.carryOut({Step::Why}).text;
      return moving.empty() ? "what has come was not taken in time" : moving;
    }
    never.sleep(nanos);
  }
}

/// What was sent until then is out when the host gets the answer. The state follows while sources
/// go on.
void HostMember::cut(const remote::HostOrder &order) {
  local.carryOut({Step::Ask, order.number});
  std::string wrong = awaitStill(order.received);
  if (wrong.empty())
    local.carryOut({Step::Take, order.number});
  pipe.write(HostFrame::CutDone, order.number, wrong);
  local.carryOut({Step::Go});
  if (wrong.empty()) {
    wrong = local.sync();
    if (!wrong.empty())
      local.carryOut({Step::Drop});
    pipe.write(HostFrame::State, order.number, wrong.empty() ? pack(p, local.sections()) : "");
  }
  local.carryOut({Step::Settle});
}

/// Carries out one order, if there is one.
HostMember::Next HostMember::serve() {
  remote::HostOrder order;
  if (!pipe.next(order))
    return Next::More;
  if (order.type == HostFrame::Cut)
    cut(order);
  else if (order.type == HostFrame::Committed)
    local.carryOut({Step::Commit});
  return order.type == HostFrame::Close ? Next::Ends : Next::More;
}

/// Told to end, by the host or by a signal, the program ends as without checkpoints.
void HostMember::letGo() {
  if ((p.cut.stop.raised() || p.end.stop.raised()) && !std::exchange(isLetGo, true))
    local.carryOut({Step::Stop});
}

void HostMember::runUntil(os::Event &end) {
  while (!end.raised()) {
    if (isLetGo)
      os::sleepOn({&end, &pipe.hasOrder}, -1);
    else
      os::sleepOn({&end, &pipe.hasOrder, &p.cut.stop, &p.end.stop}, -1);
    letGo();
    if (serve() == Next::Ends)
      return;
  }
}

/// The host may ask for more checkpoints until all PEs are over.
void HostMember::finish() {
  if (p.end.failing || p.end.unread)
    return;
  local.setOver();
  pipe.write(HostFrame::Over, {});
  do
    os::sleepOn({&pipe.hasOrder, &p.end.failed}, -1);
  while (!p.end.failed.raised() && serve() == Next::More);
}

} // namespace sluice::member
