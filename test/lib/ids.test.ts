import t from 'tap'
import { constantTimeEqual, isId, newId, randomBase62, sha256Hex } from '../../src/lib/ids.js'

t.test('ids made one after the other sort in that order and tell their kind', async (t) => {
  const ids = Array.from({ length: 1000 }, () => newId('msg', 1_700_000_000_000))
  t.same([...ids].sort(), ids)
  t.equal(new Set(ids).size, 1000)
  t.ok(ids.every((id) => isId('msg', id)))
  t.notOk(isId('thr', ids[0] ?? ''))
  t.notOk(isId('msg', 'msg_../../etc/passwd'))
})

t.test('32 random bytes are always 43 characters of base62', async (t) => {
  for (let i = 0; i < 200; i++) t.match(randomBase62(32), /^[0-9A-Za-z]{43}$/)
})

t.test('secrets are compared whole and stored as a hash', async (t) => {
  t.ok(constantTimeEqual('secret', 'secret'))
  t.notOk(constantTimeEqual('secret', 'secret '))
  t.equal(sha256Hex('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
