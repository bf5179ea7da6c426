#!/usr/bin/env python3
"""The links, paths and C++ code on the Markdown pages are those of this repository. Each line of the output names page, line and
what is wrong. Usage: check_documentation.py [ROOT]"""
import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
FOLDERS = "cmake|docs|examples|fuzz|harness|kernels|matrices|reference|reports|tools"
PATH = re.compile(rf"`((?:{FOLDERS})/[\w./*-]*)`")
FENCED_CODE = re.compile(r"^```cpp\n(.*?)^```", re.M | re.S)


def pages(root):
    yield from sorted(root.glob("*.md"))
    for folder in FOLDERS.split("|"):
        for page in sorted((root / folder).rglob("*.md")):
            if not {"node_modules", "golden"} & set(page.parts):
                yield page


def lines(page):
    yield from enumerate(page.read_text(encoding="utf-8").splitlines(), 1)


def broken_links(root, page):
    for number, line in lines(page):
        for target in LINK.findall(line):
            if not re.match(r"[a-z]+:", target) and not (page.parent / target).exists():
                yield f"{page.relative_to(root)}:{number}: there is no {target}"


def broken_paths(root, page):
    """A path from the root in backticks; a unit may be named without its suffixes, and * stands for any text."""
    for number, line in lines(page):
        for path in PATH.findall(line):
            if not any(root.glob(path.rstrip("/") + "*")):
                yield f"{page.relative_to(root)}:{number}: there is no {path}"


def without_indent(text):
    return "\n".join(line.strip() for line in text.splitlines())


def code_of_no_example(root, page):
    """C++ on a page is part of an example, which the tests compile."""
    examples = [without_indent(path.read_text(encoding="utf-8")) for path in (root / "examples").rglob("*.cpp")]
    for block in FENCED_CODE.findall(page.read_text(encoding="utf-8")):
        if not any(without_indent(block) in example for example in examples):
            yield f"{page.relative_to(root)}: this is in none of examples/:\n{block.rstrip()}"


RULES = (broken_links, broken_paths, code_of_no_example)


def complaints(root):
    return [line for page in pages(root) for rule in RULES for line in rule(root, page)]


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent).resolve()
    found = complaints(root)
    for line in found:
        print(line)
    count = len(list(pages(root)))
    print(f"{count} pages, {len(found)} complaints")
    return 1 if found or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
