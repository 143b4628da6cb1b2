//===- OperatorModel.cpp - the words of operator declarations ---------------===//
#include "frontend/modules/OperatorModel.h"
#include <variant>

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;
using Model = typed::OperatorModel;

const Model::Param *Model::param(StringRef wanted) const {
  for (const Param &p : params)
    if (p.name == wanted)
      return &p;
  return nullptr;
}

std::optional<Model::Param> Model::param(StringRef wanted, unsigned ports) const {
  for (const Param &p : params) {
    if (!p.each && p.name == wanted)
      return p;
    StringRef which = wanted;
    unsigned port = 0;
    if (!p.each || !which.consume_front(p.name))
      continue;
    if (which == "RHS")
      port = ports - 1;
    else if (which != "LHS" && (which.getAsInteger(10, port) || which != std::to_string(port)))
      continue;
    Param one = p;
    one.name += std::to_string(port);
    one.port = port;
    return one;
  }
  return std::nullopt;
}

namespace {
/// Reads one declaration; unknown words are reported.
class Reader {
public:
  Reader(Sema &sema, const ast::OperatorModelDecl &decl, const ast::Unit *unit, StringRef ns)
      : sema(sema), decl(decl) {
    scope.unit = unit;
    place.kind = Place::Constant;
    scope.place = &place;
    model->ns = ns.str();
    model->name = decl.name.text.str();
    model->range = decl.name.range;
  }

  std::unique_ptr<Model> run() {
    for (const ast::ModelItem &item : decl.inputs)
      input(item);
    for (const ast::ModelItem &item : decl.outputs)
      output(item);
    for (const ast::ModelItem &item : decl.params)
      param(item);
    for (const ast::ModelItem &item : decl.flags)
      flag(item);
    for (const ast::Function *function : decl.outputFunctions)
      if (const typed::Prototype *proto = sema.prototype(function, scope.unit, model->ns))
        model->functions.push_back(proto);
    // Window punctuation goes on as the first output port says.
    if (!model->outputs.empty() && model->outputs[0].punct == Model::OutputPunct::Preserving)
      model->facts.add(Trait::forwards);
    return std::move(model);
  }

private:
  using Word = ast::ModelWord;
  using Trait = stream::OperatorTrait;
  void unknown(const ast::Ident &word) {
    sema.diags.report(word.range, Diag::err_model_word, word.text);
  }

  template <typename Port> bool cardinality(Port &port, StringRef word) {
    auto found = llvm::StringSwitch<int>(word)
                     .Case("one", Model::One)
                     .Case("optional", Model::Optional)
                     .Case("open", Model::Open)
                     .Default(-1);
    if (found >= 0)
      port.cardinality = Model::Cardinality(found);
    return found >= 0;
  }

  void input(const ast::ModelItem &item) {
    Model::Input port;
    port.name = item.name.text.str();
    for (const Word &w : item.words) {
      StringRef word = w.word.text;
      if (cardinality(port, word) || word == "oblivious")
        continue;
      if (word == "expecting")
        port.punct = Model::InputPunct::Expecting;
      else if (word == "windowBound")
        port.punct = Model::InputPunct::WindowBound;
      else if (word == "windowed")
        port.window = Model::Window::Required;
      else if (word == "windowOptional")
        port.window = Model::Window::Optional;
      else if (word == "sliding")
        port.onlySliding = true;
      else if (word == "interval")
        port.mayBeInterval = true;
      else if (word == "mutable")
        port.isMutable = true;
      else if (word == "control")
        port.isControl = true;
      else if (word == "delayed") {
        model->facts.add(Trait::delays);
        model->facts.holds = true;
      } else
        unknown(w.word);
    }
    model->inputs.push_back(port);
  }

  void output(const ast::ModelItem &item) {
    Model::Output port;
    port.name = item.name.text.str();
    for (const Word &w : item.words) {
      StringRef word = w.word.text;
      if (cardinality(port, word) || word == "free")
        continue;
      if (word == "generating")
        port.punct = Model::OutputPunct::Generating;
      else if (word == "preserving")
        port.punct = Model::OutputPunct::Preserving;
      else if (bool *set = llvm::StringSwitch<bool *>(word)
                               .Case("assign", &port.assign)
                               .Case("auto", &port.autoAssign)
                               .Case("complete", &port.complete)
                               .Case("same", &port.same)
                               .Case("supplied", &port.supplied)
                               .Default(nullptr))
        *set = true;
      else
        unknown(w.word);
    }
    model->outputs.push_back(port);
  }

  bool mode(Model::Param &param, const Word &w) {
    auto found = llvm::StringSwitch<int>(w.word.text)
                     .Case("expression", int(Model::Mode::Expression))
                     .Case("attributeFree", int(Model::Mode::AttributeFree))
                     .Case("constant", int(Model::Mode::Constant))
                     .Case("attribute", int(Model::Mode::Attribute))
                     .Case("literal", int(Model::Mode::Literal))
                     .Case("condition", int(Model::Mode::Condition))
                     .Default(-1);
    if (found < 0)
      return false;
    param.mode = Model::Mode(found);
    if (param.mode == Model::Mode::Condition)
      return condition(param, w);
    for (const ast::Ident &literal : w.list)
      param.literals.push_back(literal.text.str());
    if (!w.type)
      return true;
    bool isClass = w.type->kind == ast::TypeKind::Named && w.type->path.parts.empty() &&
                   llvm::is_contained({"integral", "numeric", "floatingpoint", "ordered", "string",
                                       "any", "list", "tuple"},
                                      w.type->name.text);
    if (isClass)
      param.cls = w.type->name.text.str();
    else
      param.type = sema.checkType(w.type, scope);
    return true;
  }

  /// condition, or condition{Out}, where Out is the first output port.
  bool condition(Model::Param &param, const Word &w) {
    param.ofTuples = !w.list.empty();
    return w.list.empty() || (w.list.size() == 1 && !model->outputs.empty() &&
                              model->outputs[0].name == w.list[0].text);
  }

  void param(const ast::ModelItem &item) {
    Model::Param param;
    param.name = item.name.text.str();
    for (const Word &w : item.words) {
      StringRef word = w.word.text;
      if (mode(param, w) || word == "optional" || (word == "of" && port(param, w)) ||
          (word == "tuple" && tupleOf(param, w)))
        continue;
      if (word == "required")
        param.required = true;
      else if (word == "many")
        param.many = true;
      else if (word == "each")
        param.each = true;
      else if (word == "carried")
        param.carried = true;
      else if (word == "scope")
        param.isScope = true;
      else if (word == "secret")
        param.secret = true;
      else if (word == "texts" && w.list.size() == 1)
        param.textsOf = w.list[0].text.str();
      else if (word == "notNegative")
        param.sign = Model::Param::NotNegative;
      else if (word == "positive")
        param.sign = Model::Param::Positive;
      else if (word == "to" && w.type)
        param.convertTo = sema.checkType(w.type, scope);
      else if (word == "planned" && w.list.empty())
        param.planned = true;
      else if (word == "planned")
        for (const ast::Ident &literal : w.list)
          param.plannedLiterals.push_back(literal.text.str());
      else
        unknown(w.word);
    }
    model->params.push_back(std::move(param));
  }

  /// of{In}, where In is an input port.
  bool port(Model::Param &param, const Word &w) {
    for (auto [index, input] : llvm::enumerate(model->inputs))
      if (w.list.size() == 1 && input.name == w.list[0].text)
        param.port = index;
    return param.port.has_value();
  }

  /// tuple{Port}, where Port is an input or an output port.
  bool tupleOf(Model::Param &param, const Word &w) {
    auto find = [&](const auto &all, bool isOutput) {
      for (auto [index, port] : llvm::enumerate(all))
        if (w.list.size() == 1 && port.name == w.list[0].text)
          param.tupleOf = Model::Param::Port{isOutput, unsigned(index)};
    };
    find(model->inputs, /*isOutput=*/false);
    find(model->outputs, /*isOutput=*/true);
    return param.tupleOf.has_value();
  }

  /// Sets what a word of `config` says; false if the operator has no such fact.
  bool setFact(StringRef name, StringRef word) {
    struct Fact {
      StringRef name, word;
      std::variant<bool *, Trait> what;
      bool mayStand = true;
    };
    typed::OperatorFacts &facts = model->facts;
    size_t inputs = model->inputs.size();
    const Fact all[] = {
        {"status", "planned", &model->planned},
        {"code", "native", Trait::native},
        {"code", "batches", Trait::batches},
        {"jobs", "exports", &facts.exports, inputs == 1},
        {"jobs", "imports", &facts.imports, inputs == 0},
        {"source", "daemon", Trait::daemon, inputs == 0},
        {"windows", "sorted", Trait::sorts, hasWindows(1)},
        {"windows", "matched", Trait::matches, hasWindows(2)},
        {"tuples", "held", &facts.holds},
    };
    for (const Fact &fact : all)
      if (fact.name == name && fact.word == word && fact.mayStand) {
        if (auto *flag = std::get_if<bool *>(&fact.what))
          **flag = true;
        else
          facts.add(std::get<Trait>(fact.what));
        return true;
      }
    return false;
  }

  void flag(const ast::ModelItem &item) {
    StringRef name = item.name.text;
    for (const Word &w : item.words) {
      StringRef word = w.word.text;
      if (setFact(name, word))
        continue;
      if (name == "handlers" && word == "none")
        model->handlers = Model::Handlers::None;
      else if (name == "handlers" && word == "submit")
        model->handlers = Model::Handlers::Submit;
      else if (name == "consistent" && inRegion(w))
        continue;
      else if (name != "files" || !file(w))
        unknown(llvm::is_contained({"status", "handlers", "code", "jobs", "files", "source",
                                    "windows", "tuples", "consistent"},
                                   name)
                    ? w.word
                    : item.name);
    }
  }

  /// Whether there are so many input ports, all with windows.
  bool hasWindows(size_t ports) {
    return model->inputs.size() == ports && llvm::all_of(model->inputs, [](const Model::Input &in) {
             return in.window == Model::Window::Required;
           });
  }

  /// never, start, trigger or trigger{p}, where p is a parameter.
  bool inRegion(const Word &w) {
    using InRegion = typed::OperatorFacts::InRegion;
    typed::OperatorFacts &facts = model->facts;
    facts.inRegion = llvm::StringSwitch<InRegion>(w.word.text)
                         .Case("never", InRegion::Never)
                         .Case("start", InRegion::Starts)
                         .Case("trigger", InRegion::Triggers)
                         .Default(InRegion::Inside);
    if (!w.list.empty()) {
      if (facts.inRegion != InRegion::Triggers || !model->param(w.list[0].text))
        return false;
      facts.triggerParam = w.list[0].text.str();
    }
    return facts.inRegion != InRegion::Inside;
  }

  /// reads{p}, writes{p} or follows{p}, where p is a parameter.
  bool file(const Word &w) {
    std::string *slot = llvm::StringSwitch<std::string *>(w.word.text)
                            .Case("reads", &model->facts.readsFile)
                            .Case("writes", &model->facts.writesFile)
                            .Case("follows", &model->followsFile)
                            .Default(nullptr);
    if (!slot || w.list.size() != 1 || !model->param(w.list[0].text))
      return false;
    *slot = w.list[0].text.str();
    return true;
  }

  Sema &sema;
  const ast::OperatorModelDecl &decl;
  Scope scope;
  Place place;
  std::unique_ptr<Model> model = std::make_unique<Model>();
};
} // namespace

std::unique_ptr<Model> sema::readModel(Sema &sema, const ast::OperatorModelDecl &decl,
                                       const ast::Unit *unit, StringRef ns) {
  return Reader(sema, decl, unit, ns).run();
}
