#!/usr/bin/env python3
"""Who may use whom (ARCHITECTURE.md), checked on every include and every link line. Each line of the output names the rule
that was broken. Usage: check_architecture.py [ROOT]"""
import pathlib
import re
import sys

SOURCES = {".h", ".cpp", ".cu", ".cuh"}
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.M)
LINK = re.compile(r"(?:target_link_libraries|vparity_library)\s*\(([^)]*)\)")
TEST = re.compile(r"(_test|_bench|_fixture)\b|/tests/|_test_support")

# Room -> rooms it may use besides itself. Tests may also use the reference.
MAY_USE = {
    "kernels": set(),
    "reference": set(),
    "reports": set(),
    "harness": {"kernels", "reference", "reports"},
    "fuzz": {"harness", "reports"},
    "examples": {"kernels"},
}
ROOM_OF_TARGET = {"vparity_reference": "reference", "vparity_reports": "reports", "vparity_kernels": "kernels"}

# The harness's rooms: each may use those before it.
HARNESS = ["io", "machine", "case", "provider", "plan", "rank", "run", "commands"]
# A rank knows nothing of the plan it is part of.
FORBIDDEN = {("rank", "plan")}

# ARCHITECTURE.md names each folder that holds such files, in the rooms and in the folders beside them.
DESCRIBED = SOURCES | {".ts", ".mjs", ".py", ".cmake", ".sh"}
BESIDE_THE_ROOMS = ["cmake", "tools"]


def read(path):
    return path.read_text(encoding="utf-8")


class Tree:
    """The sources below `root` and what they include, as paths from the root."""

    def __init__(self, root):
        self.root = root
        self.files = {}
        for room in MAY_USE:
            for path in sorted((root / room).rglob("*")):
                if path.suffix in SOURCES and "node_modules" not in path.parts:
                    self.files[path.relative_to(root).as_posix()] = INCLUDE.findall(read(path))
        self.test_interface = set(self.declared_test_interface())

    def declared_test_interface(self):
        """Private headers of kernels/ that kernels/CMakeLists.txt declares for the tests of other rooms."""
        declared = re.search(r"set\(VPARITY_KERNELS_TEST_INTERFACE([^)]*)\)", read(self.root / "kernels/CMakeLists.txt"))
        return [f"kernels/{name}" for name in declared[1].split()] if declared else []

    def resolve(self, name):
        """The file of this repository that an include names, or None."""
        for prefix in ("", "kernels/", "kernels/include/"):
            if prefix + name in self.files:
                return prefix + name
        return None

    def uses(self):
        """(file, included file) for each include of a file of this repository."""
        for path, names in self.files.items():
            for name in names:
                used = self.resolve(name)
                if used:
                    yield path, used


def is_test(path):
    return bool(TEST.search(path))


def top(path):
    return path.split("/")[0]


def room_rule(tree):
    for path, used in tree.uses():
        allowed = MAY_USE[top(path)] | {top(path)} | ({"reference"} if is_test(path) else set())
        if top(used) not in allowed:
            yield f"{path} includes {used}: {top(path)}/ may not use {top(used)}/"


def harness_rule(tree):
    for path, used in tree.uses():
        if not (path.startswith("harness/") and used.startswith("harness/")) or is_test(path):
            continue
        own, other = path.split("/")[1], used.split("/")[1]
        for folder, file in ((own, path), (other, used)):
            if folder not in HARNESS:
                yield f"{file}: harness/{folder} is none of the harness's rooms ({', '.join(HARNESS)})"
                return
        if HARNESS.index(other) > HARNESS.index(own) or (other, own) in {(b, a) for a, b in FORBIDDEN}:
            yield f"{path} includes {used}: harness/{own} may not use harness/{other}"


def private_header_rule(tree):
    for path, used in tree.uses():
        if path.startswith("kernels/") or not used.startswith("kernels/"):
            continue
        if not used.startswith("kernels/include/") and used not in tree.test_interface:
            yield (f"{path} includes {used}: a private header of kernels/; use an installed one (vparity/...), or declare it "
                   "in VPARITY_KERNELS_TEST_INTERFACE of kernels/CMakeLists.txt")


def independence_rule(tree):
    for path, used in tree.uses():
        if path.startswith("harness/provider/") and used.startswith("reference/") and not is_test(path):
            yield f"{path} includes {used}: a provider made of the reference would be compared with itself"


def standard_library_rule(tree):
    for path, names in tree.files.items():
        for name in names:
            if path.startswith("reference/") and not is_test(path) and not tree.resolve(name):
                if not re.fullmatch(r"[a-z0-9_]+", name):
                    yield f"{path} includes {name}: reference/ uses the standard library only"


def folder(path):
    """The folder that a file counts to: the room, and the folder below it."""
    depth = 3 if top(path) in ("harness", "kernels") else 2
    return "/".join(path.split("/")[:-1][:depth])


def circle_rule(tree):
    edges = {}
    for path, used in tree.uses():
        if not is_test(path) and folder(path) != folder(used):
            edges.setdefault(folder(path), set()).add(folder(used))
    found = circle(edges)
    if found:
        yield "folders include each other in a circle: " + " -> ".join(found)


def circle(edges):
    """A list of folders that include each other in a circle, or None."""
    state = {}

    def visit(node, trail):
        state[node] = "open"
        for following in sorted(edges.get(node, ())):
            if state.get(following) == "open":
                return trail[trail.index(following):] + [following] if following in trail else [node, following]
            if following not in state:
                found = visit(following, trail + [following])
                if found:
                    return found
        state[node] = "done"
        return None

    for node in sorted(edges):
        if node not in state:
            found = visit(node, [node])
            if found:
                return found
    return None


def link_rule(tree):
    for room in MAY_USE:
        for path in (tree.root / room).rglob("CMakeLists.txt"):
            for arguments in LINK.findall(read(path)):
                words = arguments.split()
                if not words or "test" in words[0]:
                    continue
                for word in words[1:]:
                    used = ROOM_OF_TARGET.get(word)
                    if used and used != room and used not in MAY_USE[room]:
                        yield f"{path.relative_to(tree.root)}: {words[0]} links {word}: {room}/ may not use {used}/"


def described_folder_rule(tree):
    """A reader of ARCHITECTURE.md finds every folder by its whole path."""
    page = tree.root / "ARCHITECTURE.md"
    named = set(re.findall(r"`([a-z_./]+?)/?`", read(page))) if page.exists() else set()
    folders = {path.parent.relative_to(tree.root).as_posix() for top in [*MAY_USE, *BESIDE_THE_ROOMS]
               for path in (tree.root / top).rglob("*") if path.suffix in DESCRIBED and "node_modules" not in path.parts}
    for name in sorted(folders - named):
        yield f"{name}/ is not named in ARCHITECTURE.md: add a line that says what it is for"


RULES = (room_rule, harness_rule, private_header_rule, independence_rule, standard_library_rule, circle_rule, link_rule,
         described_folder_rule)


def broken_rules(root):
    tree = Tree(root)
    return tree, [f"{rule.__name__}: {line}" for rule in RULES for line in rule(tree)]


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
    tree, broken = broken_rules(root if len(sys.argv) > 1 else root.parent.parent)
    for line in broken:
        print(line)
    print(f"{len(tree.files)} files, {len(broken)} against the rules")
    return 1 if broken or not tree.files else 0


if __name__ == "__main__":
    sys.exit(main())
