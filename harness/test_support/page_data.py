"""What a page (report.html) holds, read by other means than the viewer's."""

import base64
import json
import re
import zlib

ELEMENT = re.compile(r'<script type="text/plain" id="data">(.*?)</script>', re.S)


def page_blocks(path):
    """Its blocks, each of bytes."""
    lines = ELEMENT.search(path.read_text(encoding="utf-8"))[1].split("\n")
    return [zlib.decompress(base64.b64decode(line, validate=True)) for line in lines]


def page_data(path):
    """The first block, which is JSON."""
    return json.loads(page_blocks(path)[0])
