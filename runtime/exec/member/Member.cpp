//===- Member.cpp - takes part in the checkpoints of a job ------------------===//
#include "runtime/exec/member/Member.h"
#include "runtime/exec/checkpoint/Coordinator.h"
#include "runtime/exec/job/Job.h"
#include "runtime/exec/member/HostMember.h"
#include "runtime/exec/member/Message.h"
#include "runtime/exec/member/RemoteParticipant.h"
#include "runtime/exec/state/Program.h"

namespace sluice::member {

/// No checkpoint is made before all processes are there, and each finds the same. PE 0 has read it
/// when it asks for the first time.
int32_t Member::open() {
  if (serve() == Next::Alone)
    return failQuietly();
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
  local.carryOut({checkpoint::Step::Go});
  local.carryOut({checkpoint::Step::Stop});
}

/// Carries out orders until `end` is raised (null: never), or there are no more.
void Member::serveUntil(const os::Event *end) {
  const remote::Socket &socket = p.options.job->channels.coordinator;
  while (!end || !end->raised()) {
    std::vector<int> all{socket.descriptor(), p.cut.wanted.descriptor()};
    if (end)
      all.push_back(end->descriptor());
    if (!toldStop)
      all.push_back(p.cut.stop.descriptor());
    if (!isLetGo)
      all.push_back(p.end.stop.descriptor());
    remote::awaitReadable(all, -1);
    if (p.end.stop.raised() && !std::exchange(isLetGo, true))
      local.letGo();
    if (p.cut.stop.raised() && !std::exchange(toldStop, true))
      send(socket, Reply{.wantsEnd = true, .answer = {}});
    if (p.cut.wanted.raised()) {
      p.cut.wanted.lower();
      send(socket, Reply{.wantsCheckpoint = true, .answer = {}});
    }
    if (!remote::awaitReadable(std::span(all).first(1), 0))
      continue;
    Next next = serve();
    if (next == Next::Alone)
      leave();
    if (next != Next::More)
      return;
  }
}

void Member::runUntil(os::Event &end) { serveUntil(&end); }

/// All of this process is done. Others may go on for long, and checkpoints are made.
void Member::finish() {
  if (p.end.failing || p.end.unread || isCut)
    return;
  local.setOver();
  serveUntil(nullptr);
}

std::unique_ptr<checkpoint::Checkpoints> makeCheckpoints(Program &p) {
  if (p.options.checkpoints.isHosted)
    return std::make_unique<HostMember>(p);
  if (p.options.pe > 0)
    return std::make_unique<Member>(p);
  std::vector<std::unique_ptr<checkpoint::Participant>> others;
  if (p.options.pe == 0)
    for (const remote::Socket &member : p.options.job->channels.members)
      others.push_back(std::make_unique<RemoteParticipant>(member.duplicate()));
  return std::make_unique<checkpoint::Coordinator>(p, std::move(others));
}

} // namespace sluice::member
