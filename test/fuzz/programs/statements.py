"""Blocks of statements, for functions and for the logic of operators."""

from dataclasses import dataclass, replace

from expressions import Function, Scope, Variable, parts
from spl_types import (
    BOOLEAN,
    INT32,
    INTEGERS,
    RSTRING,
    USTRING,
    Type,
    integer_literal,
    is_integer,
    is_numeric,
    is_ordered,
    list_of,
    nonzero_literal,
    random_type,
)


@dataclass(frozen=True)
class Place:
    """What a block may do."""

    printer: str = ""  # what lines begin with that it prints; none: it prints nothing
    stream: str = ""  # where it may submit
    attributes: Type = None  # of that stream
    result: Type = None  # what it may return before its end
    loop: int = 0  # how many loops it is in
    depth: int = 0  # how many blocks it is in

    def in_loop(self):
        # What is submitted in loops multiplies the tuples from operator to operator.
        return replace(self, loop=self.loop + 1, stream="")


class Statements:
    def __init__(self, rng, expressions):
        self.rng = rng
        self.expressions = expressions
        self.count = 0  # of local variables

    def name(self, letter):
        self.count += 1
        return f"{letter}{self.count}"

    def block(self, scope, place, size):
        """Lines; what they declare ends with them."""
        return self.fill(scope.inner(), place, size)

    def fill(self, scope, place, size):
        """Lines; what they declare is then in the scope."""
        lines = []
        for _ in range(size):
            lines += self.statement(scope, place)
        return lines

    def statement(self, scope, place):
        ways = [self.declaration, self.assignment, self.assignment, self.compound, self.element]
        ways += [self.change, self.output, self.output, self.called]
        if place.depth < 3:
            ways += [self.branch, self.loop, self.counted]
        if place.loop:
            ways += [self.leave]
        for _ in range(6):
            if lines := self.rng.choice(ways)(scope, place):
                return lines
        return self.declaration(scope, place)

    def mutable(self, scope, accept):
        known = [p for v in scope.variables if v.mutable for p in parts(v) if accept(p.type)]
        return self.rng.choice(known) if known else None

    def value(self, of, scope):
        """An expression; collections and strings of bounded size."""
        text = self.expressions.make(of, scope, self.rng.choice((1, 1, 2, 2, 3)))
        if of == RSTRING:
            return f"cap({text})"
        if of == USTRING:
            return f"substring({text}, 0, 20)"
        if of.kind == "list" and not of.bound:
            return f"slice({text}, 0, 8)"
        return text

    # ===--- simple ones ----------------------------------------------------===

    def declaration(self, scope, place=None):
        of = random_type(self.rng)
        name, mutable = self.name("v"), self.rng.random() < 0.7
        line = f"{'mutable ' if mutable else ''}{of} {name} = {self.value(of, scope)};"
        scope.variables.append(Variable(name, of, mutable))
        return [line]

    def assignment(self, scope, place):
        target = self.mutable(scope, lambda t: True)
        return target and [f"{target.text} = {self.value(target.type, scope)};"]

    def compound(self, scope, place):
        target = self.mutable(scope, lambda t: is_numeric(t) or t == BOOLEAN)
        if not target:
            return None
        of, others = target.type, scope.without(target.text)
        if of == BOOLEAN:
            return [
                f"{target.text} {self.rng.choice('&|')}= {self.expressions.make(of, others, 2)};"
            ]
        if self.rng.random() < 0.3:
            step = self.rng.choice(("++", "--"))
            return [f"{target.text}{step};" if self.rng.random() < 0.5 else f"{step}{target.text};"]
        if is_integer(of) and self.rng.random() < 0.4:
            if self.rng.random() < 0.5:
                return [
                    f"{target.text} {self.rng.choice('/%')}= {nonzero_literal(self.rng, of.kind)};"
                ]
            operator = self.rng.choice(("<<", ">>"))
            count = integer_literal("int32", self.rng.randrange(INTEGERS[of.kind]))
            return [f"{target.text} {operator}= {count};"]
        operator = self.rng.choice("+-*&|^" if is_integer(of) else "+-*/")
        return [f"{target.text} {operator}= {self.expressions.make(of, others, 2)};"]

    def element(self, scope, place):
        """Changes an element of a list, a map or what is in an optional."""
        target = self.mutable(scope, lambda t: t.kind in ("list", "map", "optional", "blob"))
        if not target:
            return None
        of, others = target.type, scope.without(target.text)
        if of.kind == "map":
            key = self.expressions.make(of.args[0], others, 1)
            return [f"{target.text}[{key}] = {self.value(of.args[1], others)};"]
        if of.kind == "optional":
            update = f"{target.text}! = {self.value(of.args[0], others)};"
            return [update if scope.risky else f"if ({target.text}??) {update}"]
        item = of.args[0] if of.kind == "list" else Type("uint8")
        index = self.rng.randrange(3)
        place_of = f"{target.text}[{index}]"
        if scope.risky and self.rng.random() < 0.3:
            place_of = f"{target.text}[{self.expressions.varying(INT32, others, 1)}]"
        update = f"{place_of} = {self.value(item, others)};"
        if is_numeric(item) and self.rng.random() < 0.5:
            update = f"{place_of} {self.rng.choice('+-*')}= {self.value(item, others)};"
            update = f"{place_of}++;" if self.rng.random() < 0.3 else update
        return [update if scope.risky else f"if (size({target.text}) > {index}) {update}"]

    def change(self, scope, place):
        """A function of the toolkit that changes a collection."""
        target = self.mutable(
            scope, lambda t: t.kind in ("list", "set", "map") and not t.bound or t == RSTRING
        )
        if not target:
            return None
        of, others = target.type, scope.without(target.text)
        if of == RSTRING:
            text = f"cap({self.expressions.make(RSTRING, others, 1)})"
            return [f"if (length({target.text}) < 40) appendM({target.text}, {text});"]
        item = self.value(of.args[0], others)
        calls = [f"clearM({target.text});"] if self.rng.random() < 0.1 else []
        grows = f"if (size({target.text}) < 8) "
        if of.kind == "list":
            index = self.expressions.make(INT32, others, 1)
            calls += [f"{grows}appendM({target.text}, {item});"] * 2
            calls += [f"{grows}insertM({target.text}, {item}, {index});"]
            calls += [f"reverseM({target.text});", f"removeM({target.text}, {index});"]
            if is_ordered(of.args[0]) and of.args[0].kind != "blob":
                calls += [f"sortM({target.text});"]
        elif of.kind == "set":
            calls += [f"{grows}insertM({target.text}, {item});", f"removeM({target.text}, {item});"]
        else:
            value = self.value(of.args[1], others)
            calls += [f"{grows}insertM({target.text}, {item}, {value});"]
            calls += [f"removeM({target.text}, {item});"]
        return [self.rng.choice(calls)]

    def called(self, scope, place):
        """A void function of the program; a mutable argument is passed to nothing else."""
        own = [f for f in self.expressions.functions if f.result is None]
        own = [f for f in own if scope.risky or not f.risky]
        if not own:
            return None
        function = self.rng.choice(own)
        arguments, others = {}, scope
        for i, p in enumerate(function.parameters):
            if p.mutable:
                target = self.mutable(others, lambda t: t == p.type)
                if not target:
                    return None
                arguments[i], others = target.text, others.without(target.text)
        for i, p in enumerate(function.parameters):
            if not p.mutable:
                arguments[i] = self.value(p.type, others)
        return [f"{function.name}({', '.join(arguments[i] for i in sorted(arguments))});"]

    def output(self, scope, place):
        if place.stream and self.rng.random() < 0.6:
            return [self.submission(scope, place)]
        if not place.printer:
            return None
        of = random_type(self.rng)
        text = self.expressions.make(of, scope, 2)
        return [f'printStringLn("{place.printer} " + (rstring) {text});']

    def submission(self, scope, place):
        values = [
            f"{name} = {self.value(of, scope)}"
            for name, of in zip(place.attributes.names, place.attributes.args)
        ]
        return f"submit({{{', '.join(values)}}}, {place.stream});"

    # ===--- with blocks ----------------------------------------------------===

    def nested(self, scope, place, size=2):
        place = replace(place, depth=place.depth + 1)
        lines = self.block(scope, place, self.rng.randint(1, size))
        return ["  " + line for line in lines]

    def branch(self, scope, place):
        lines = [f"if ({self.expressions.make(BOOLEAN, scope, 2)}) {{", *self.nested(scope, place)]
        if self.rng.random() < 0.5:
            lines += ["} else {", *self.nested(scope, place)]
        return [*lines, "}"]

    def leave(self, scope, place):
        ways = ["break;", "continue;"]
        if place.result and self.rng.random() < 0.5:
            ways = [f"return {self.value(place.result, scope)};"]
        return [f"if ({self.expressions.make(BOOLEAN, scope, 1)}) {self.rng.choice(ways)}"]

    def loop(self, scope, place):
        """Over a collection, which the body does not change."""
        name = self.name("i")
        known = [
            p for v in scope.variables for p in parts(v) if p.type.kind in ("list", "set", "map")
        ]
        if known and self.rng.random() < 0.6:
            whole = self.rng.choice(known)
            of, text = whole.type.args[0], whole.text
            inside = scope.without(text)
        else:
            of = INT32
            text = self.rng.choice(
                (f"range({self.rng.randint(0, 4)})", "range(5, -3, -2)", "[3, 1, 2]")
            )
            inside = scope.inner()
        inside.variables.append(Variable(name, of))
        return [f"for ({of} {name} in {text}) {{", *self.nested(inside, place.in_loop(), 3), "}"]

    def counted(self, scope, place):
        name = self.name("n")
        inside = scope.inner()
        inside.variables.append(Variable(name, INT32))
        return [
            f"mutable int32 {name} = 0;",
            f"while ({name} < {self.rng.randint(1, 4)}) {{",
            f"  {name}++;",
            *self.nested(inside, place.in_loop()),
            "}",
        ]

    # ===--- functions ------------------------------------------------------===

    def function(self, risky):
        """Lines of a function that those behind it may call."""
        changes = self.rng.random() < 0.3
        parameters = [
            Variable(
                f"p{i}", random_type(self.rng), changes and (i == 0 or self.rng.random() < 0.3)
            )
            for i in range(self.rng.randint(1, 3))
        ]
        result = None if changes else random_type(self.rng)
        made = Function(self.name("fn"), result, parameters, risky)
        scope = Scope(list(parameters), risky)
        lines = self.fill(scope, Place(result=result), self.rng.randint(0 if result else 1, 3))
        if result:
            last = self.value(result, scope)
            if self.rng.random() < 0.25:
                first = self.value(result, Scope(list(parameters), risky))
                lines = [f"if (depth <= 0) return {first};", *lines]
                values = [self.value(p.type, scope) for p in parameters]
                last = f"{made.name}(depth - 1, {', '.join(values)})"
                lines += [f"return {last};"]
                return self.recursive(made, lines)
            lines += [f"return {last};"]
        text = ", ".join(f"{'mutable ' if p.mutable else ''}{p.type} {p.text}" for p in parameters)
        self.expressions.functions.append(made)
        return [f"{result or 'void'} {made.name}({text}) {{", *("  " + l for l in lines), "}"]

    def recursive(self, made, lines):
        """It calls itself as often as its first argument says; those who call it give three."""
        text = ", ".join(f"{p.type} {p.text}" for p in made.parameters)
        names = ", ".join(p.text for p in made.parameters)
        start = Function(f"{made.name}r", made.result, made.parameters, made.risky)
        self.expressions.functions.append(start)
        return [
            f"{made.result} {made.name}(int32 depth, {text}) {{",
            *("  " + l for l in lines),
            "}",
            f"{made.result} {start.name}({text}) {{ return {made.name}(3, {names}); }}",
        ]
