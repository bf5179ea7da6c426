#!/usr/bin/env python3
"""Each rule of check_documentation.py finds what breaks it, and nothing else."""
import pathlib
import tempfile
import unittest

import check_documentation

CLEAN = {
    "README.md": "[a page](docs/page.md#part), [elsewhere](https://example.org/x), `kernels/row/`\n\n"
                 "```cpp\nrun(2);\nend();\n```\n",
    "docs/page.md": "[back](../README.md) to `harness/run/launcher`, `kernels/*/sums.h`, `other/words`\n",
    "harness/run/launcher.h": "",
    "kernels/row/sums.h": "",
    "examples/kernels/threads.cpp": "int main() {\n  run(2);\n  end();\n}\n",
    "reports/viewer/node_modules/other/README.md": "[of another project](absent.md)\n",
    "vparity-out/ci/summary.md": "[of a run](absent.md)\n",
}


class Rules(unittest.TestCase):
    def complaints(self, **changed):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in (CLEAN | changed).items():
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            return check_documentation.complaints(root)

    def test_clean_pages(self):
        self.assertEqual(self.complaints(), [])

    def test_a_link_to_a_page_that_is_not_there(self):
        self.assertEqual(self.complaints(**{"docs/page.md": "\n[back](README.md)\n"}),
                         ["docs/page.md:2: there is no README.md"])

    def test_a_path_that_has_moved(self):
        self.assertEqual(self.complaints(**{"docs/page.md": "`harness/launcher/` `kernels/cpu/*.h`\n"}),
                         ["docs/page.md:1: there is no harness/launcher/", "docs/page.md:1: there is no kernels/cpu/*.h"])

    def test_code_that_no_example_has(self):
        found = self.complaints(**{"README.md": "```cpp\nrun(3);\n```\n"})
        self.assertEqual(found, ["README.md: this is in none of examples/:\nrun(3);"])


if __name__ == "__main__":
    unittest.main()
