//===- Baton.cpp - one source runs at a time ----------------------------===//
#include "runtime/exec/source/Baton.h"
#include <algorithm>
#include <cassert>

namespace sluice {

void Baton::setUp(uint32_t sources, bool byOrder, Reaches reach, Clock *time, IsToEnd ends,
                  Room forRoom) {
  inOrder = byOrder;
  reaches = std::move(reach);
  clock = time;
  isToEnd = std::move(ends);
  room = std::move(forRoom);
  for (uint32_t i = 0; i < sources; ++i) {
    slots.push_back(std::make_unique<Slot>());
    enqueue(i);
  }
}

void Baton::begin() {
  os::Held held(lock);
  started = true;
  grantNext();
}

int32_t Baton::turn() {
  os::Held held(lock);
  return owner >= 0 ? owner - 1 : last;
}

void Baton::enqueue(uint32_t source) {
  slots[source]->ready = true;
  slots[source]->due = Clock::kNever;
  slots[source]->holdsTime = false;
  queue.push_back(source);
  ready.store(uint32_t(queue.size()), std::memory_order_relaxed);
}

bool Baton::mayRun(uint32_t source) const {
  if (slots[source]->forRoom && room.isHeldBack(source))
    return false;
  for (uint32_t other = 0; other < slots.size(); ++other)
    if (other != source && slots[other]->inside >= 0 &&
        reaches(source, uint32_t(slots[other]->inside)))
      return false;
  return true;
}

int32_t Baton::choose() const {
  if (!inOrder) {
    for (uint32_t source : queue)
      if (mayRun(source))
        return int32_t(source);
    return -1;
  }
  int32_t count = int32_t(slots.size());
  for (int32_t step = 1; step <= count; ++step) {
    int32_t source = (last + step) % count;
    if (slots[source]->ready && mayRun(uint32_t(source)))
      return source;
  }
  return -1;
}

/// A source that waits for room although nobody could make any.
int32_t Baton::chooseHopeless() {
  for (uint32_t source : queue)
    if (slots[source]->forRoom && room.isHopeless(source)) {
      room.ignore(source);
      return choose();
    }
  return -1;
}

/// Makes those ready whose time has come.
void Baton::wakeDue() {
  for (uint32_t i = 0; i < slots.size(); ++i)
    if (slots[i]->due != Clock::kNever && (slots[i]->due <= clock->now() || isToEnd(i)))
      enqueue(i);
}

/// Moves time on to the earliest wake-up. False: nobody waits for the time, or time waits.
bool Baton::jump() {
  int64_t next = Clock::kNever;
  for (auto &slot : slots) {
    if (slot->holdsTime)
      return false;
    next = std::min(next, slot->due);
  }
  if (next == Clock::kNever)
    return false;
  clock->advance(next);
  last = -1; // those that wake run in the order of their numbers
  wakeDue();
  return true;
}

void Baton::grantNext() {
  if (!started || owner >= 0)
    return;
  if (clock)
    wakeDue();
  int32_t next = choose();
  if (next < 0)
    next = chooseHopeless();
  while (next < 0 && clock && jump())
    next = choose();
  if (next < 0)
    return;
  owner = last = next;
  queue.erase(std::find(queue.begin(), queue.end(), uint32_t(next)));
  ready.store(uint32_t(queue.size()), std::memory_order_relaxed);
  slots[next]->ready = false;
  slots[next]->inside = -1;
  slots[next]->forRoom = false;
  slots[next]->granted.wakeAll();
}

void Baton::awaitTurn(uint32_t source) {
  while (owner != int32_t(source))
    slots[source]->granted.wait(lock);
}

void Baton::acquire(uint32_t source) {
  os::Held held(lock);
  // Before its first turn it is in the queue already, or even chosen.
  if (!slots[source]->ready && owner != int32_t(source)) {
    enqueue(source);
    grantNext();
  }
  awaitTurn(source);
}

void Baton::leave(uint32_t source, int32_t inside) {
  assert(owner == int32_t(source));
  owner = -1;
  slots[source]->inside = inside;
}

void Baton::release(uint32_t source, int32_t inside, bool holdsTime) {
  os::Held held(lock);
  leave(source, inside);
  slots[source]->holdsTime = holdsTime;
  grantNext();
}

void Baton::sleep(uint32_t source, int32_t inside, int64_t due) {
  os::Held held(lock);
  leave(source, inside);
  slots[source]->due = due;
  grantNext();
  awaitTurn(source);
}

void Baton::awaitRoom(uint32_t source) {
  os::Held held(lock);
  leave(source, -1);
  slots[source]->forRoom = true;
  enqueue(source);
  grantNext();
  awaitTurn(source);
}

void Baton::look() {
  os::Held held(lock);
  grantNext();
}

void Baton::advance(int64_t to) {
  os::Held held(lock);
  clock->advance(to);
  wakeDue();
}

void Baton::rest(uint32_t source) {
  os::Held held(lock);
  leave(source, -1);
  slots[source]->rests = true;
  grantNext();
  awaitTurn(source);
}

void Baton::wake(uint32_t source) {
  os::Held held(lock);
  if (!slots[source]->rests)
    return;
  slots[source]->rests = false;
  enqueue(source);
  grantNext();
}

void Baton::yield(uint32_t source) {
  os::Held held(lock);
  assert(owner == int32_t(source));
  owner = -1;
  enqueue(source);
  grantNext();
  awaitTurn(source);
}

} // namespace sluice
