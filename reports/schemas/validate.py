#!/usr/bin/env python3
"""Checks report files against a JSON Schema, and against what a schema cannot say.

validate.py SCHEMA FILE...   exit 0: all valid; 1: one line per violation on standard error.

Beyond the schema: no duplicate keys, no NaN or Infinity tokens (Python's parser would take both).
"""

import json
import sys

import jsonschema


def refuse_duplicates(pairs):
    keys = [key for key, _ in pairs]
    duplicates = {key for key in keys if keys.count(key) > 1}
    if duplicates:
        raise ValueError(f"duplicate keys: {', '.join(sorted(duplicates))}")
    return dict(pairs)


def refuse_constant(token):
    raise ValueError(f"{token} is not JSON")


def read_strictly(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file, object_pairs_hook=refuse_duplicates, parse_constant=refuse_constant)


def violations(validator, path):
    try:
        document = read_strictly(path)
    except ValueError as error:
        return [f"{path}: {error}"]
    errors = sorted(validator.iter_errors(document), key=lambda error: [str(part) for part in error.absolute_path])
    return [f"{path}: /{'/'.join(map(str, error.absolute_path))}: {error.message}" for error in errors]


def main(arguments):
    if len(arguments) < 2:
        print("usage: validate.py SCHEMA FILE...", file=sys.stderr)
        return 2
    schema = read_strictly(arguments[0])
    validator_class = jsonschema.validators.validator_for(schema)
    validator_class.check_schema(schema)
    validator = validator_class(schema)
    found = [line for path in arguments[1:] for line in violations(validator, path)]
    for line in found:
        print(line, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
