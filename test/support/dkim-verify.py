"""Verifies every DKIM signature of a message with dkimpy. Arguments: the message's file. Standard input: what `restante dkim list --json` prints."""
import json
import sys

import dkim

records = {r["record_name"].rstrip(".") + ".": r["record_value"].encode() for r in json.load(sys.stdin)}
raw = open(sys.argv[1], "rb").read()
verifier = dkim.DKIM(raw)
count = sum(1 for name, _ in verifier.headers if name.lower() == b"dkim-signature")


def lookup(name, timeout=5):
    name = name.decode() if isinstance(name, bytes) else name
    return records.get(name.rstrip(".") + ".")


print(json.dumps([verifier.verify(idx=i, dnsfunc=lookup) for i in range(count)]))
