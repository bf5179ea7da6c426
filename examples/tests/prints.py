#!/usr/bin/env python3
"""Runs an example, which must print one sentence and nothing else. An example that needs a device exits with 77 and says why;
with VPARITY_REQUIRE_DEVICE that is a failure. Usage: prints.py SENTENCE COMMAND..."""
import os
import subprocess
import sys

result = subprocess.run(sys.argv[2:], stdout=subprocess.PIPE, text=True)
print(result.stdout, end="")
if result.returncode == 77 and not os.environ.get("VPARITY_REQUIRE_DEVICE"):
    sys.exit(77)
if result.returncode != 0 or result.stdout != sys.argv[1] + "\n":
    sys.exit(f"exit code {result.returncode}; expected 0 and: {sys.argv[1]}")
