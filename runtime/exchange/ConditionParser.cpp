//===- ConditionParser.cpp - the text of a condition ----------------------===//
#include "runtime/exchange/Node.h"
#include <algorithm>
#include <cctype>
#include <charconv>

namespace sluice::exchange {

using Node = Condition::Node;
using Op = Node::Op;
using NodePtr = std::unique_ptr<Node>;

Condition::Condition() = default;
Condition::Condition(Condition &&) noexcept = default;
Condition &Condition::operator=(Condition &&) noexcept = default;
Condition::~Condition() = default;

namespace {
struct Operator {
  std::string_view text;
  Op op;
};
/// By rank, the loosest first; longer ones before their beginnings.
constexpr Operator kOr[] = {{"||", Op::Or}}, kAnd[] = {{"&&", Op::And}},
                   kCompare[] = {{"==", Op::Eq}, {"!=", Op::Ne}, {"<=", Op::Le}, {">=", Op::Ge},
                                 {"<", Op::Lt},  {">", Op::Gt},  {"in", Op::In}},
                   kSum[] = {{"+", Op::Add}, {"-", Op::Sub}},
                   kProduct[] = {{"*", Op::Mul}, {"/", Op::Div}, {"%", Op::Rem}};
constexpr std::span<const Operator> kRanks[] = {kOr, kAnd, kCompare, kSum, kProduct};

bool beginsName(char c) { return isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool isOfName(char c) { return isalnum(static_cast<unsigned char>(c)) || c == '_'; }
} // namespace

/// Each function returns null after it has set `problem`.
class ConditionParser {
public:
  ConditionParser(std::string_view text, Condition &into) : text(text), into(into) {}

  std::string run() {
    NodePtr root = text.size() > Condition::kMostBytes ? fail("it is too long") : binary(0);
    skip();
    if (root && at != text.size())
      root = fail("something is behind its end");
    into.root = std::move(root);
    return problem;
  }

private:
  NodePtr fail(const char *what) {
    if (problem.empty())
      problem = std::string(what) + " (at byte " + std::to_string(at) + ")";
    return nullptr;
  }
  void skip() {
    while (at < text.size() && isspace(static_cast<unsigned char>(text[at])))
      ++at;
  }
  bool take(std::string_view token) {
    skip();
    if (!text.substr(at).starts_with(token))
      return false;
    size_t end = at + token.size();
    if (beginsName(token[0]) && end < text.size() && isOfName(text[end]))
      return false;
    at = end;
    return true;
  }

  /// `right`: null where the operator has one operand. Chains make a tree high as well as
  /// nesting: what goes down it later is bounded by its height.
  NodePtr join(Op op, NodePtr left, NodePtr right) {
    auto node = std::make_unique<Node>();
    node->op = op;
    node->height = 1 + std::max(left->height, right ? right->height : 0);
    if (node->height > Condition::kMostDepth)
      return fail("it is nested too deeply");
    node->left = std::move(left);
    node->right = std::move(right);
    return node;
  }

  NodePtr binary(size_t rank) {
    if (rank == std::size(kRanks))
      return unary();
    NodePtr left = binary(rank + 1);
    while (left) {
      auto found = std::ranges::find_if(kRanks[rank], [&](auto &o) { return take(o.text); });
      if (found == kRanks[rank].end())
        return left;
      NodePtr right = binary(rank + 1);
      left = right ? join(found->op, std::move(left), std::move(right)) : nullptr;
    }
    return left;
  }

  NodePtr unary() {
    if (++depth > Condition::kMostDepth)
      return fail("it is nested too deeply");
    NodePtr node;
    if (take("-")) {
      NodePtr operand = unary();
      node = operand ? join(Op::Neg, std::move(operand), nullptr) : nullptr;
    } else {
      node = primary();
    }
    while (node && take("[")) {
      NodePtr index = binary(0);
      if (!index)
        return nullptr;
      if (!take("]"))
        return fail("a `]` is missing");
      node = join(Op::Subscript, std::move(node), std::move(index));
    }
    --depth;
    return node;
  }

  NodePtr primary() {
    skip();
    if (at == text.size())
      return fail("an operand is missing");
    char c = text[at];
    if (take("(")) {
      NodePtr inner = binary(0);
      return !inner || take(")") ? std::move(inner) : fail("a `)` is missing");
    }
    if (take("["))
      return list();
    if (c == '"')
      return string();
    if (isdigit(static_cast<unsigned char>(c)))
      return number();
    if (!beginsName(c))
      return fail("an operand is missing");
    size_t begin = at;
    while (at < text.size() && isOfName(text[at]))
      ++at;
    return name(text.substr(begin, at - begin));
  }

  NodePtr name(std::string_view word) {
    if (word == "true" || word == "false")
      return literal(Value::of(word == "true"));
    auto node = std::make_unique<Node>();
    node->op = Op::Name;
    auto found = std::ranges::find(into.all, word);
    node->slot = uint32_t(found - into.all.begin());
    if (found == into.all.end())
      into.all.emplace_back(word);
    return node;
  }

  static NodePtr literal(Value value) {
    auto node = std::make_unique<Node>();
    node->value = value;
    return node;
  }

  NodePtr number() {
    size_t end = at;
    bool isFloat = false;
    for (; end < text.size(); ++end) {
      char c = text[end];
      bool sign = (c == '+' || c == '-') && (text[end - 1] == 'e' || text[end - 1] == 'E');
      if (c == '.' || c == 'e' || c == 'E')
        isFloat = true;
      else if (!isdigit(static_cast<unsigned char>(c)) && !sign)
        break;
    }
    const char *from = text.data() + at, *to = text.data() + end;
    uint64_t integer = 0;
    double number = 0;
    auto [p, error] =
        isFloat ? std::from_chars(from, to, number) : std::from_chars(from, to, integer);
    if (error != std::errc() || p != to)
      return fail("this is no number");
    at = end;
    return literal(isFloat ? Value::of(number) : Value::of(Integer(integer)));
  }

  static int hexDigit(char c) {
    if (c >= '0' && c <= '9')
      return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
  }

  /// \" \\ and \xHH, which literalOf() writes.
  NodePtr string() {
    auto node = std::make_unique<Node>();
    for (++at; at < text.size() && text[at] != '"'; ++at) {
      if (text[at] != '\\') {
        node->text += text[at];
        continue;
      }
      ++at;
      if (at + 2 < text.size() && text[at] == 'x') {
        int high = hexDigit(text[at + 1]), low = hexDigit(text[at + 2]);
        if (high < 0 || low < 0)
          return fail("this is no escape");
        node->text += char(high * 16 + low);
        at += 2;
      } else if (at < text.size() && (text[at] == '"' || text[at] == '\\')) {
        node->text += text[at];
      } else {
        return fail("this is no escape");
      }
    }
    if (at >= text.size())
      return fail("a text does not end");
    ++at;
    node->value = Value::of(std::string_view(node->text));
    return node;
  }

  /// Of literals.
  NodePtr list() {
    auto node = std::make_unique<Node>();
    node->op = Op::List;
    while (!take("]")) {
      if (!node->parts.empty() && !take(","))
        return fail("a `,` or `]` is missing");
      bool negative = take("-");
      skip();
      if (at < text.size() && (text[at] == '[' || text[at] == '('))
        return fail("an element of a list is no literal");
      NodePtr part = primary();
      if (!part)
        return nullptr;
      if (part->op != Op::Literal || (negative && !part->value.isNumber()))
        return fail("an element of a list is no literal");
      if (negative) {
        part->value.integer = -part->value.integer;
        part->value.number = -part->value.number;
      }
      node->elements.push_back(part->value);
      node->parts.push_back(std::move(part));
    }
    node->value = Value::of(std::span<const Value>(node->elements));
    return node;
  }

  std::string_view text;
  Condition &into;
  size_t at = 0;
  unsigned depth = 0;
  std::string problem;
};

std::string Condition::parse(std::string_view text) {
  *this = {};
  if (std::ranges::all_of(text, [](unsigned char c) { return isspace(c); }))
    return "";
  return ConditionParser(text, *this).run();
}

} // namespace sluice::exchange
