//===- Matcher.cpp - tuples out of the events of a document ---------------===//
#include "stdlib/operators/XMLParse/Matcher.h"
#include <strings.h>

namespace sluice::xml {

Matcher::Matcher(std::span<const TypeDesc *const> types, Options options) : options(options) {
  for (const TypeDesc *type : types)
    ports.push_back(std::make_unique<Port>(type));
  reset();
}

Matcher::~Matcher() = default;

void Matcher::Port::clear() {
  root.clear();
  arenaTrim(&arena, 1 << 20); // a large tuple may have gone
}

//===--- the tree of paths --------------------------------------------------===//

bool Matcher::same(std::string_view a, std::string_view b) const {
  if (a.size() != b.size())
    return false;
  return options.ignoreCase ? !strncasecmp(a.data(), b.data(), a.size()) : a == b;
}

Matcher::Node *Matcher::child(Node &node, std::string_view name) const {
  for (const auto &child : node.children)
    if (same(child->name, name))
      return child.get();
  return nullptr;
}

Slot &Matcher::slotOf(const Rule &rule) {
  Slot *slot = &ports[rule.port]->root;
  for (uint32_t index : rule.at)
    slot = &slot->part(index);
  return *slot;
}

void Matcher::add(const Rule &rule) {
  Node *node = &root;
  for (const std::string &step : rule.steps) {
    Node *next = child(*node, step);
    if (!next) {
      next = node->children.emplace_back(std::make_unique<Node>()).get();
      next->name = step;
    }
    node = next;
  }
  if (rule.take == Take::Trigger)
    return node->triggers.push_back(rule.port);
  Target target = {rule.port, &slotOf(rule), rule.name};
  switch (rule.take) {
  case Take::Element:
    return node->elements.push_back(target);
  case Take::Text:
    return node->texts.push_back(target);
  case Take::Attribute:
    return node->attributes.push_back(target);
  case Take::AllAttributes:
    return node->maps.push_back(target);
  case Take::Trigger:
  case Take::Input:
    return;
  }
}

//===--- events -------------------------------------------------------------===//

void Matcher::reset() {
  open.assign(1, &root);
  texts.resize(1);
  passed = 0;
}

void Matcher::set(const Target &target, std::string_view value) {
  if (target.slot->type->kind == Kind::Map)
    target.slot->setEntry(target.name, value);
  else if (!target.slot->set(value, ports[target.port]->arena))
    bad(target.port, *target.slot, value);
}

void Matcher::setAttribute(const Target &target, const char *const *attributes) {
  for (; *attributes; attributes += 2)
    if (same(nameOf(attributes[0]), target.name))
      return set(target, attributes[1]);
  if (options.nullify && target.slot->type->kind != Kind::Map)
    target.slot->setDefault();
}

/// Declarations of namespaces are none.
static bool isAttribute(std::string_view name) {
  return name != "xmlns" && !name.starts_with("xmlns:");
}

void Matcher::begin(const char *name, const char *const *attributes) {
  Node *node = passed ? nullptr : child(*open.back(), nameOf(name));
  if (!node) {
    ++passed;
    return;
  }
  open.push_back(node);
  if (texts.size() < open.size())
    texts.emplace_back();
  texts[open.size() - 1].clear();
  for (uint32_t port : node->triggers)
    ports[port]->clear();
  for (const Target &target : node->elements)
    (target.slot->type->kind == Kind::List ? target.slot->part(0) : *target.slot).clear();
  for (const Target &target : node->attributes)
    setAttribute(target, attributes);
  for (const Target &target : node->maps)
    for (const char *const *at = attributes; *at; at += 2)
      if (isAttribute(at[0]))
        target.slot->setEntry(nameOf(at[0]), at[1]);
}

void Matcher::text(std::string_view piece) {
  if (!passed && !open.back()->texts.empty())
    texts[open.size() - 1] += piece;
}

bool Matcher::end() {
  if (passed) {
    --passed;
    return true;
  }
  const Node &node = *open.back();
  open.pop_back();
  for (const Target &target : node.texts)
    set(target, texts[open.size()]);
  for (const Target &target : node.elements)
    if (target.slot->type->kind == Kind::List)
      target.slot->append(ports[target.port]->arena);
  for (uint32_t port : node.triggers) {
    if (!complete(port))
      return false;
    ports[port]->clear();
  }
  return true;
}

void Matcher::put(uint32_t port, void *to) { ports[port]->root.put(to, ports[port]->arena); }

} // namespace sluice::xml
