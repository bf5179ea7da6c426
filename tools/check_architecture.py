#!/usr/bin/env python3
"""Fails if a file includes across rooms against the rule of ARCHITECTURE.md, if folders of the harness include each
other in a circle, or if a production target links a room it may not use. Run from anywhere; prints what is wrong."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = {".h", ".cpp", ".cu", ".cuh"}
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.M)
LINK = re.compile(r"(?:target_link_libraries|vparity_library)\s*\(([^)]*)\)")

# Room -> rooms it may use besides itself. Tests may also use the reference.
MAY_USE = {
    "kernels": set(),
    "reference": set(),
    "reports": set(),
    "harness": {"kernels", "reference", "reports"},
    "fuzz": {"harness", "reports"},
}
STANDARD_ONLY = {"reference"}  # no library either
UNDER_TEST = "harness/provider/"  # what is made of the reference would be compared with itself
ROOM_OF_TARGET = {"vparity_reference": "reference", "vparity_reports": "reports", "vparity_kernels": "kernels"}


def room_of_include(path):
    if path.startswith("vparity/"):
        return "kernels"
    head = path.split("/")[0]
    return head if head in MAY_USE and "/" in path else None


def is_test(path):
    return bool(re.search(r"(_test|_bench)\b|/tests/|test_", str(path)))


def include_errors(room, path, text):
    allowed = MAY_USE[room] | {room} | ({"reference"} if is_test(path) else set())
    for target in INCLUDE.findall(text):
        used = room_of_include(target)
        if used and used not in allowed:
            yield f"{path.relative_to(ROOT)}: includes {target}, but {room}/ may not use {used}/"
        if used == "reference" and str(path.relative_to(ROOT)).startswith(UNDER_TEST) and not is_test(path):
            yield f"{path.relative_to(ROOT)}: includes {target}, but a kernel set may not be made of the reference"
        if room in STANDARD_ONLY and not is_test(path) and used is None and not is_standard(target):
            yield f"{path.relative_to(ROOT)}: includes {target}, but {room}/ uses the standard library only"


def is_standard(header):
    return re.fullmatch(r"[a-z0-9_]+", header) is not None


def folder_edges(path, text):
    here = "/".join(path.relative_to(ROOT).parts[:2])
    for target in INCLUDE.findall(text):
        there = "/".join(target.split("/")[:2])
        if target.startswith("harness/") and target.count("/") == 2 and there != here:
            yield here, there


def circle(edges):
    """A list of folders that include each other in a circle, or None."""
    state = {}

    def visit(node, trail):
        state[node] = "open"
        for following in sorted(edges.get(node, ())):
            if state.get(following) == "open":
                return trail + [node, following]
            if following not in state:
                found = visit(following, trail + [node])
                if found:
                    return found
        state[node] = "done"
        return None

    for node in sorted(edges):
        if node not in state:
            found = visit(node, [])
            if found:
                return found
    return None


def link_errors(room):
    for path in (ROOT / room).rglob("CMakeLists.txt"):
        for arguments in LINK.findall(path.read_text()):
            words = arguments.split()
            if not words or "test" in words[0]:
                continue
            for word in words[1:]:
                used = ROOM_OF_TARGET.get(word)
                if used and used != room and used not in MAY_USE[room]:
                    yield f"{path.relative_to(ROOT)}: {words[0]} links {word}, but {room}/ may not use {used}/"


def main():
    errors, edges, files = [], {}, 0
    for room in MAY_USE:
        errors += link_errors(room)
        for path in sorted((ROOT / room).rglob("*")):
            if path.suffix not in SOURCES:
                continue
            files += 1
            text = path.read_text()
            errors += include_errors(room, path, text)
            if room == "harness" and not is_test(path):
                for here, there in folder_edges(path, text):
                    edges.setdefault(here, set()).add(there)
    found = circle(edges)
    if found:
        errors.append("folders include each other in a circle: " + " -> ".join(found))
    for error in errors:
        print(error)
    print(f"{files} files, {len(errors)} against the rules")
    return 1 if errors or files == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
