"""Verifies every DKIM signature of each message in a folder with dkimpy. Arguments: the folder, a JSON file of records by name. Prints results by file."""
import json
import os
import sys

import dkim

records = json.load(open(sys.argv[2]))


def lookup(name, timeout=5):
    name = name.decode() if isinstance(name, bytes) else name
    return records.get(name.rstrip("."), "").encode()


def verify(raw):
    verifier = dkim.DKIM(raw)
    results = {}
    signatures = [value for name, value in verifier.headers if name.lower() == b"dkim-signature"]
    for index, value in enumerate(signatures):
        algorithm = dkim.util.parse_tag_value(value)[b"a"].decode()
        try:
            results[algorithm] = verifier.verify(idx=index, dnsfunc=lookup)
        except dkim.DKIMException as error:
            results[algorithm] = str(error)
    return results


folder = sys.argv[1]
print(json.dumps({name: verify(open(os.path.join(folder, name), "rb").read()) for name in sorted(os.listdir(folder))}))
