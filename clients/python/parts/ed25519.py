"""Ed25519 signatures (RFC 8032 §5.1.7), verified with whole numbers: the standard library has no such function. Nothing here is secret."""

import hashlib
from typing import Optional, Tuple

_Point = Tuple[int, int, int, int]

_P = 2**255 - 19
_ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, _P - 2, _P) % _P
_ROOT_OF_MINUS_ONE = pow(2, (_P - 1) // 4, _P)


def _added(a: _Point, b: _Point) -> _Point:
    """RFC 8032 §5.1.4, in extended coordinates."""
    w = (a[1] - a[0]) * (b[1] - b[0]) % _P
    x = (a[1] + a[0]) * (b[1] + b[0]) % _P
    y = 2 * a[3] * b[3] * _D % _P
    z = 2 * a[2] * b[2] % _P
    e, f, g, h = x - w, z - y, z + y, x + w
    return (e * f % _P, g * h % _P, f * g % _P, e * h % _P)


def _times(scalar: int, point: _Point) -> _Point:
    result: _Point = (0, 1, 1, 0)
    while scalar > 0:
        if scalar & 1:
            result = _added(result, point)
        point = _added(point, point)
        scalar >>= 1
    return result


def _decoded(text: bytes) -> Optional[_Point]:
    """The point of 32 octets (RFC 8032 §5.1.3); None when they are none."""
    number = int.from_bytes(text, "little")
    sign, y = number >> 255, number & ((1 << 255) - 1)
    if y >= _P:
        return None
    square = (y * y - 1) * pow(_D * y * y + 1, _P - 2, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    if (x * x - square) % _P != 0:
        x = x * _ROOT_OF_MINUS_ONE % _P
    if (x * x - square) % _P != 0 or (x == 0 and sign == 1):
        return None
    if x & 1 != sign:
        x = _P - x
    return (x, y, 1, x * y % _P)


_BASE = _decoded((4 * pow(5, _P - 2, _P) % _P).to_bytes(32, "little"))


def _has_signature(signed: bytes, signature: bytes, public_key: bytes) -> bool:
    if len(signature) != 64 or len(public_key) != 32 or _BASE is None:
        return False
    key, r = _decoded(public_key), _decoded(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if key is None or r is None or s >= _ORDER:
        return False
    digest = hashlib.sha512(signature[:32] + public_key + signed).digest()
    left = _times(s, _BASE)
    right = _added(r, _times(int.from_bytes(digest, "little") % _ORDER, key))
    return (left[0] * right[2] - right[0] * left[2]) % _P == 0 and (left[1] * right[2] - right[1] * left[2]) % _P == 0
