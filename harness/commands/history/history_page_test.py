#!/usr/bin/env python3
"""`vparity report --html --history`: what the page holds, unpacked by another program than the viewer.
Usage: history_page_test.py VPARITY"""

import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from page_data import page_blocks
from throughput_case import timed, write_run

PROGRAM = os.path.abspath(sys.argv[1])


def vparity(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=100)


def unpacked(block, begin, plane, series, nights):
    """Values of one series (reports/history/packed_series.h)."""
    values, code = [], 0
    for place in range(begin + series * nights, begin + (series + 1) * nights):
        zigzag = block[place] + 256 * block[place + plane]
        code = (code + (zigzag // 2 if zigzag % 2 == 0 else -(zigzag + 1) // 2)) % 65536
        values.append(math.nan if code == 0 else 2 ** ((code - 2) / 1024 - 40))
    return values


class HistoryInThePage(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.history = self.folder / "history"

    def night(self, number, seconds):
        cases = [timed(vocab, value) for vocab, value in seconds.items()]
        run = write_run(self.folder / f"run-{number}", f"run-{number}", cases)
        document = json.loads((run / "throughput.json").read_text())
        document["run"]["started"] = f"2026-11-{number:02}T02:15:00Z"
        (run / "throughput.json").write_text(json.dumps(document))
        added = vparity("history", "add", self.history, run)
        self.assertEqual(added.returncode, 0, added.stderr)
        return run

    def page(self, run, *options):
        result = vparity("report", run, "--html", self.folder / "page.html", "--history", self.history, *options)
        if result.returncode == 2 and "no viewer" in result.stderr:
            self.skipTest("this build has no viewer")
        self.assertEqual(result.returncode, 0, result.stderr)
        return page_blocks(self.folder / "page.html")

    def test_each_value_is_there(self):
        self.night(1, {7: 0.25, 9: 3e-6})
        self.night(2, {7: 0.75})
        blocks = self.page(self.night(3, {7: 0.2512, 9: 3.1e-6}))
        history = json.loads(blocks[0])["history"]
        self.assertEqual([night["started"][:10] for night in history["nights"]], ["2026-11-01", "2026-11-02", "2026-11-03"])
        self.assertEqual([history["first_block"], len(blocks)], [1, 2])
        place = {key: i for i, key in enumerate(history["series"]["key"])}
        passed = 1 + history["statuses"].index("passed")
        expected = {7: [0.25, 0.75, 0.2512], 9: [3e-6, math.nan, 3.1e-6]}
        for vocab, values in expected.items():
            at = place[f",dp=1,tp=2,vocab={vocab},"]
            self.assertEqual(list(blocks[1][3 * at:3 * at + 3]), [0 if math.isnan(value) else passed for value in values])
            for found, value in zip(unpacked(blocks[1], 6, 6, at, 3), values):
                self.assertTrue(math.isnan(found) and math.isnan(value) or abs(found / value - 1) < 0.00034, (found, value))

    def test_has_what_the_check_finds_and_what_is_accepted(self):
        for number in range(1, 18):
            run = self.night(number, {7: 1 + 0.001 * (number % 3) + (0.5 if number > 10 else 0)})
        (finding,) = json.loads(self.page(run)[0])["history"]["findings"]
        self.assertEqual((finding["night"], finding["last_before"], finding["open"]), (10, 9, True))
        self.assertAlmostEqual(finding["after"] / finding["before"], 1.5, delta=0.01)
        accepted = self.folder / "accepted.json"
        entry = {"match": "*", "measure": "throughput", "from": "2026-11-11", "reason": "exact sums", "commit": "0123abcd"}
        accepted.write_text(json.dumps({"schema": "vparity.accepted-changes/1", "entries": [entry]}))
        history = json.loads(self.page(run, "--accepted", accepted)[0])["history"]
        self.assertEqual(history["findings"], [])
        self.assertEqual([history["accepted"][i]["reason"] for i in history["series"]["accepted"]], ["exact sums"])

    def test_what_does_not_go_together_is_refused(self):
        run = self.night(1, {7: 1})
        for arguments, says in ((("--history", self.history), "--history requires --html"),
                            (("--html", self.folder / "x", "--accepted", "y"), "--accepted requires --history"),
                            (("--html", self.folder / "x", "--history", self.folder / "none"), "not a history")):
            result = vparity("report", run, *arguments)
            if "no viewer" in result.stderr:
                continue
            self.assertEqual(result.returncode, 2, arguments)
            self.assertIn(says, result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
