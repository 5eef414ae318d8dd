"""By which means code remembers something from one call to the next, read off its text.

Found are caches of functions and properties; containers of a module or class, and functions' defaults and closures,
that a function changes; objects of a module whose methods change them; iterators and context variables of a module;
Django's cache and conditional answers; files, sessions and headers for caches that are written. What hides from the
text, as behind a second name, `tests/trust/memory/survivors.py` finds by use.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)

CACHES = frozenset({"cache", "lru_cache", "cached_property"})
KEEPERS = frozenset(
    {"ContextVar", "local", "WeakKeyDictionary", "WeakValueDictionary", "WeakSet", "Memory", "Halves", "Local"}
)
"""Classes whose objects are made to keep something. What goes through `KeyedMemory` needs no declaration."""
CONTAINERS = frozenset({"dict", "list", "set", "bytearray", "defaultdict", "OrderedDict", "Counter", "deque", "Queue"})
ITERATORS = frozenset({"count", "cycle", "iter", "Random"})
CHANGES = frozenset(
    [
        "append",
        "appendleft",
        "add",
        "update",
        "setdefault",
        "pop",
        "popleft",
        "popitem",
        "clear",
        "extend",
        "insert",
        "discard",
        "remove",
        "put",
        "set_many",
        "difference_update",
        "intersection_update",
        "symmetric_difference_update",
        "__setitem__",
        "__setattr__",
        "reverse",
        "sort",
    ]
)
HEADERS = frozenset({"cache-control", "etag", "last-modified", "expires", "age"})
WRITES = frozenset({"write_bytes", "write_text", "touch"})
STORES = ("django.core.cache", "django.views.decorators.cache", "django.views.decorators.http.condition",
          "django.views.decorators.http.etag", "django.views.decorators.http.last_modified", "shelve", "dbm", "pickle",
          "sqlite3", "mmap", "multiprocessing.shared_memory", "cachetools")  # fmt: skip
IN_SETTINGS = ("core.cache.", "middleware.cache", "ConditionalGet", "backends.cache", "backends.cached_db")


@dataclass(frozen=True)
class Module:
    """A file of the project and its text."""

    path: str
    tree: ast.Module
    parents: Mapping[ast.AST, ast.AST]

    @classmethod
    def of(cls, path: str, text: str) -> "Module":
        tree = ast.parse(text)
        return cls(path, tree, {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)})

    def around(self, node: ast.AST) -> Iterator[ast.AST]:
        """What a node is in, from the inside out."""
        while (parent := self.parents.get(node)) is not None:
            yield parent
            node = parent

    def functions(self, node: ast.AST) -> list[Function]:
        return [each for each in self.around(node) if isinstance(each, FUNCTIONS)]

    def place(self, node: ast.AST) -> str:
        """The names of the functions and classes around a node, or of the variable it makes."""
        around = [node, *self.around(node)]
        names = [each.name for each in around if isinstance(each, ast.FunctionDef | ast.ClassDef)][::-1]
        if not any(isinstance(each, FUNCTIONS) for each in around):
            names += [ast.unparse(name) for each in around[:3] for name in _targets(each)][:1]
        return ".".join(names) or "the module"


def modules(root: Path, packages: Iterable[str]) -> Iterator[Module]:
    for package in packages:
        for path in sorted((root / package).rglob("*.py")):
            if "migrations" not in path.parts:
                yield Module.of(path.relative_to(root).as_posix(), path.read_text(encoding="utf-8"))


def remembering(every: Iterable[Module]) -> Iterator[str]:
    """Every place that remembers something: its file, and the name of what remembers or of the function that writes."""
    known = list(every)
    changing = frozenset(name for module in known for name in _changing_classes(module))
    for module in known:
        for node in ast.walk(module.tree):
            for place in _places(module, node, changing):
                yield f"{module.path} {place}"


def _places(module: Module, node: ast.AST, changing: frozenset[str]) -> Iterator[str]:
    yield from _caches(module, node)
    yield from _kept_objects(module, node, changing)
    yield from _defaults(module, node, changing)
    yield from _stores(module, node)
    for target in _changed(node):
        yield from _lasting(module, target)
    if isinstance(node, ast.Global | ast.Nonlocal):
        yield module.place(node)


# --- caches, and objects that are made to keep ------------------------------------------------------------------------


def _caches(module: Module, node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.ImportFrom | ast.Import):
        for alias in node.names:  # under another name it is found where it comes in
            if alias.name.split(".")[-1] in CACHES and alias.asname not in (None, alias.name):
                yield str(alias.asname)
    elif _last_name(node) in CACHES and not _is_called_on(module, node):
        yield module.place(node)


def _is_called_on(module: Module, node: ast.AST) -> bool:
    """Whether it is an attribute's beginning, as in `cache.get`: then the attribute is looked at."""
    parent = module.parents.get(node)
    stored = isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    return stored or (isinstance(parent, ast.Attribute) and parent.attr not in CHANGES)


def _kept_objects(module: Module, node: ast.AST, changing: frozenset[str]) -> Iterator[str]:
    if not isinstance(node, ast.Call):
        return
    name = _last_name(node.func)
    if name in KEEPERS or (name in ITERATORS | changing and not module.functions(node)):
        yield module.place(node)


def _defaults(module: Module, node: ast.AST, changing: frozenset[str]) -> Iterator[str]:
    if not isinstance(node, FUNCTIONS):
        return
    for default in (*node.args.defaults, *node.args.kw_defaults):
        name = _last_name(default.func) if isinstance(default, ast.Call) else ""
        literal = isinstance(default, ast.Dict | ast.List | ast.Set | ast.DictComp | ast.ListComp | ast.SetComp)
        if literal or name in CONTAINERS | changing:
            yield f"{module.place(node)} has a default that can be changed"


def _stores(module: Module, node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Import(names=names) if any(alias.name.startswith(STORES) for alias in names):
            yield "the module"
        case ast.ImportFrom(module=str(origin), names=names):
            if any(f"{origin}.{alias.name}".startswith(STORES) for alias in names):
                yield module.place(node)
        case ast.Constant(value=str(text)):
            if text.lower() in HEADERS or any(part in text for part in IN_SETTINGS):
                yield module.place(node)
        case ast.Call(func=ast.Attribute(attr=attr)) if attr in WRITES:
            yield module.place(node)
        case ast.Call(func=func, args=args) if _last_name(func) == "open" and _mode(func, args) & set("wax+"):
            yield module.place(node)


def _mode(func: ast.expr, args: list[ast.expr]) -> set[str]:
    given = args[isinstance(func, ast.Name) :][:1]
    return {letter for each in given if isinstance(each, ast.Constant) for letter in str(each.value)}


# --- what functions change --------------------------------------------------------------------------------------------


def _changed(node: ast.AST) -> Iterator[ast.expr]:
    """What a statement changes: the object that gets an entry or an attribute, or whose method changes it."""
    for target in _targets(node):
        if isinstance(target, ast.Subscript | ast.Attribute):
            yield target.value if isinstance(target, ast.Subscript) else target
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr in CHANGES:
            yield node.func.value
            if node.func.attr == "__setattr__" and node.args:
                yield node.args[0]
        elif _last_name(node.func) in ("setattr", "delattr", "vars", "globals") and node.args[:1]:
            yield node.args[0]
        elif _last_name(node.func) == "globals":
            yield node.func


def _targets(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.Assign(targets=found) | ast.Delete(targets=found):
            whole = list(found)
        case ast.AugAssign(target=one) | ast.AnnAssign(target=one) | ast.NamedExpr(target=one) | ast.For(target=one):
            whole = [one]
        case ast.With(items=items):
            whole = [item.optional_vars for item in items if item.optional_vars is not None]
        case _:
            return
    for target in whole:
        yield from target.elts if isinstance(target, ast.Tuple | ast.List) else [target]


def _lasting(module: Module, changed: ast.expr) -> Iterator[str]:
    """The name of what a function changes, if it outlives the call."""
    functions = module.functions(changed)
    if not functions:
        return
    root, names = _root(changed)
    if "session" in names:
        yield f"{module.place(changed)} in the session"
    elif isinstance(root, ast.Call):
        if _last_name(root.func) in ("type", "globals", "vars") or "__class__" in names:
            yield module.place(changed)
    elif not isinstance(root, ast.Name):
        return
    elif root.id == "cls" or "__class__" in names:
        yield module.place(changed)
    elif root.id == "self":
        yield from _of_the_class(module, changed, names)
    else:
        yield from _of_the_scope(module, functions, root.id)


def _of_the_scope(module: Module, functions: list[Function], name: str) -> Iterator[str]:
    if name in _bound(functions[0]):
        return
    for outer in functions[1:]:
        if name in _bound(outer):
            if _hands_out(outer, functions[functions.index(outer) - 1]):
                yield f"{module.place(outer)}.{name}"
            return
    yield name


def _of_the_class(module: Module, changed: ast.expr, names: list[str]) -> Iterator[str]:
    """A container of the class that a method changes as if it were its own."""
    for node in module.around(changed):
        if isinstance(node, ast.ClassDef):
            for each in node.body:
                for target in _targets(each):
                    holds = isinstance(each, ast.Assign | ast.AnnAssign) and _is_container(each.value)
                    if holds and isinstance(target, ast.Name) and names[:1] == [target.id]:
                        yield f"{node.name}.{target.id}"
            return


def _is_container(value: ast.expr | None) -> bool:
    if isinstance(value, ast.Call):
        return _last_name(value.func) in CONTAINERS
    return isinstance(value, ast.Dict | ast.List | ast.Set | ast.DictComp | ast.ListComp | ast.SetComp)


def _root(changed: ast.expr) -> tuple[ast.expr, list[str]]:
    """What an expression begins with, and the attributes that follow."""
    names: list[str] = []
    node = changed
    while isinstance(node, ast.Attribute | ast.Subscript):
        if isinstance(node, ast.Attribute):
            names.insert(0, node.attr)
        node = node.value
    return node, [*names, *([node.id] if isinstance(node, ast.Name) and node.id == "session" else [])]


def _bound(function: Function) -> set[str]:
    """The names that are a function's own."""
    arguments = function.args
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    own, others = {each.arg for each in named if each is not None}, set[str]()
    for node in _inside(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            own.add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            own.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            others |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.ExceptHandler) and node.name:
            own.add(node.name)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            others |= set(node.names)
    return own - others


def _inside(function: Function) -> Iterator[ast.AST]:
    """The nodes of a function without those of the functions in it."""
    waiting: list[ast.AST] = [function.body] if isinstance(function, ast.Lambda) else list(function.body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            waiting += ast.iter_child_nodes(node)


def _hands_out(outer: Function, inner: Function) -> bool:
    """Whether a function gives away one that is made in it, which then outlives the call."""
    if isinstance(inner, ast.Lambda):
        return True
    for node in _inside(outer):
        if isinstance(node, ast.Return) and any(
            isinstance(each, ast.Name) and each.id == inner.name for each in ast.walk(node)
        ):
            return True
    return False


def _changing_classes(module: Module) -> Iterator[str]:
    """Classes whose objects their methods change after they were made."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Name) and node.id == "self":
            function = next(iter(module.functions(node)), None)
            if isinstance(function, ast.FunctionDef) and function.name not in ("__init__", "__post_init__"):
                owner = next((each for each in module.around(function) if isinstance(each, ast.ClassDef)), None)
                if owner is not None and _is_changed(module, node):
                    yield owner.name


def _is_changed(module: Module, name: ast.Name) -> bool:
    for node in module.around(name):
        if any(_root(changed)[0] is name for changed in _changed(node)):
            return True
        if not isinstance(node, ast.expr):
            break
    return False


def _last_name(node: ast.AST) -> str:
    """The last part of a dotted name."""
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
