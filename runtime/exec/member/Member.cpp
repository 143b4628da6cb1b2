//===- Member.cpp - takes part in the checkpoints of a job ------------------===//
#include "runtime/exec/member/Member.h"
#include "runtime/exec/checkpoint/Coordinator.h"
#include "runtime/exec/job/Job.h"
#include "runtime/exec/member/Message.h"
#include "runtime/exec/member/RemoteParticipant.h"
#include "runtime/exec/state/Program.h"

namespace sluice::member {

/// No checkpoint is made before all processes are there, and each finds the same.
int32_t Member::open() {
  if (serve() == Next::Alone)
    return failTogether("");
  std::vector<uint64_t> numbers;
  uint64_t chosen = 0;
  if (choose(numbers, chosen))
    return -1;
  checkpoint::Relaunches relaunches;
  relaunches.read(directory.name());
  noteStart(chosen, relaunches);
  return chosen ? readFrom(chosen) : 0;
}

/// Carries out one order.
Member::Next Member::serve() {
  const remote::Socket &socket = p.options.job->channels.coordinator;
  checkpoint::Order order;
  if (!receive(socket, order))
    return Next::Alone;
  if (!send(socket, Reply{.answer = local.carryOut(order)}))
    return Next::Alone;
  if (order.step == checkpoint::Step::Stop)
    isCut = true;
  bool ends = order.step == checkpoint::Step::End || order.step == checkpoint::Step::Over;
  return ends ? Next::Ends : Next::More;
}

/// PE 0 has gone. The launcher ends all, or starts all again.
void Member::leave() {
  isCut = true;
  local.letGo();
  if (!p.end.failing)
    p.end.stop.raise();
}

void Member::runUntil(os::Event &end) {
  const remote::Socket &socket = p.options.job->channels.coordinator;
  while (!end.raised()) {
    std::vector<int> all{end.descriptor(), socket.descriptor(), p.cut.wanted.descriptor()};
    if (!toldStop)
      all.push_back(p.cut.stop.descriptor());
    remote::awaitReadable(all, -1);
    if (p.cut.stop.raised() && !std::exchange(toldStop, true))
      send(socket, Reply{.wantsEnd = true, .answer = {}});
    if (p.cut.wanted.raised()) {
      p.cut.wanted.lower();
      send(socket, Reply{.wantsCheckpoint = true, .answer = {}});
    }
    if (!remote::awaitReadable(std::span(all).subspan(1, 1), 0))
      continue;
    Next next = serve();
    if (next == Next::Alone)
      leave();
    if (next != Next::More)
      return;
  }
}

/// All of this process is done. Others may go on for long, and checkpoints are made.
void Member::finish() {
  if (p.end.failing || p.end.unread || isCut)
    return;
  local.setOver();
  for (Next next = Next::More; next == Next::More;)
    next = serve();
}

std::unique_ptr<checkpoint::Checkpoints> makeCheckpoints(Program &p) {
  if (p.options.pe > 0)
    return std::make_unique<Member>(p);
  std::vector<std::unique_ptr<checkpoint::Participant>> others;
  if (p.options.pe == 0)
    for (const remote::Socket &member : p.options.job->channels.members)
      others.push_back(std::make_unique<RemoteParticipant>(member.duplicate()));
  return std::make_unique<checkpoint::Coordinator>(p, std::move(others));
}

} // namespace sluice::member
