#!/usr/bin/env python3
"""Each rule of check_architecture.py finds what breaks it, and nothing else."""
import pathlib
import tempfile
import unittest

import check_architecture

CLEAN = {
    "kernels/CMakeLists.txt": "set(VPARITY_KERNELS_TEST_INTERFACE\n  device/bodies.cuh)\n",
    "kernels/include/vparity/placement.h": "",
    "kernels/device/bodies.cuh": '#include "vparity/placement.h"\n',
    "kernels/device/hidden.h": "",
    "reference/row.h": "#include <vector>\n",
    "reference/row_test.cpp": '#include <gtest/gtest.h>\n#include "reference/row.h"\n',
    "reports/model.h": "",
    "harness/io/file.h": '#include "reports/model.h"\n',
    "harness/plan/plan.h": '#include "harness/io/file.h"\n',
    "harness/provider/ours.cpp": '#include "device/bodies.cuh"\n#include "vparity/placement.h"\n',
    "harness/rank/check.cpp": '#include "harness/io/file.h"\n#include "reference/row.h"\n',
    "harness/run/run.h": '#include "harness/plan/plan.h"\n',
    "fuzz/plan_fuzz.cpp": '#include "harness/plan/plan.h"\n',
}


class Rules(unittest.TestCase):
    def broken(self, architecture=None, **changed):
        """What is broken in the clean tree with these files, whose ARCHITECTURE.md names all folders unless another is given."""
        files = CLEAN | changed
        page = " ".join(f"`{pathlib.PurePath(name).parent}/`" for name in files) if architecture is None else architecture
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in (files | {"ARCHITECTURE.md": page}).items():
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            return check_architecture.broken_rules(root)[1]

    def assert_one(self, rule, place, **changed):
        broken = self.broken(**changed)
        self.assertEqual(len(broken), 1, broken)
        self.assertTrue(broken[0].startswith(rule + ": "), broken)
        self.assertIn(place, broken[0])

    def test_a_clean_tree_breaks_none(self):
        self.assertEqual(self.broken(), [])

    def test_a_room_that_may_not_be_used(self):
        self.assert_one("room_rule", "kernels/ may not use reports/", **{"kernels/row.cpp": '#include "reports/model.h"\n'})

    def test_a_later_room_of_the_harness(self):
        self.assert_one("harness_rule", "harness/io may not use harness/run",
                        **{"harness/io/late.h": '#include "harness/run/run.h"\n', "harness/run/run.h": ""})

    def test_a_rank_that_knows_the_plan(self):
        self.assert_one("harness_rule", "harness/rank may not use harness/plan",
                        **{"harness/rank/check.cpp": '#include "harness/plan/plan.h"\n'})

    def test_a_folder_that_is_no_room(self):
        self.assert_one("harness_rule", "harness/misc is none",
                        **{"harness/misc/helpers.h": '#include "harness/io/file.h"\n'})

    def test_a_private_header_of_the_kernels(self):
        self.assert_one("private_header_rule", "kernels/device/hidden.h",
                        **{"harness/provider/ours.cpp": '#include "device/hidden.h"\n'})

    def test_a_provider_made_of_the_reference(self):
        self.assert_one("independence_rule", "compared with itself",
                        **{"harness/provider/ours.cpp": '#include "reference/row.h"\n'})

    def test_a_library_in_the_reference(self):
        self.assert_one("standard_library_rule", "fmt/core.h", **{"reference/row.h": "#include <fmt/core.h>\n"})

    def test_a_circle_of_folders(self):
        self.assert_one("circle_rule", "reports/a -> reports/b -> reports/a",
                        **{"reports/a/a.h": '#include "reports/b/b.h"\n', "reports/b/b.h": '#include "reports/a/a.h"\n'})

    def test_a_link_to_a_room_that_may_not_be_used(self):
        self.assert_one("link_rule", "kernels/ may not use reports/",
                        **{"kernels/host/CMakeLists.txt": "target_link_libraries(vparity_host PRIVATE vparity_reports)\n"})

    def test_an_example_that_uses_a_private_header(self):
        self.assert_one("private_header_rule", "kernels/device/hidden.h",
                        **{"examples/trainer.cpp": '#include "device/hidden.h"\n'})

    def test_folders_that_the_page_does_not_name_by_their_whole_path(self):
        broken = self.broken(architecture="`kernels/include/vparity` `kernels/device/`, `reference/row.h`, `reports`, harness/io,"
                                          " `harness/plan`, `harness/provider`, `rank`, `harness/run`, `fuzz/`")
        self.assertEqual([line.split(" is not named")[0] for line in broken],
                         [f"described_folder_rule: {folder}/" for folder in ("harness/io", "harness/rank", "reference")])

    def test_a_folder_without_sources_needs_no_name(self):
        self.assertEqual(self.broken(architecture="".join(f"`{pathlib.PurePath(name).parent}`" for name in CLEAN),
                                     **{"harness/run/golden/junit.xml": "", "reports/viewer/node_modules/a.ts": ""}), [])


if __name__ == "__main__":
    unittest.main()
