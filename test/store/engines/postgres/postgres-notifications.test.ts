import t from 'tap'
import {
  readNotification,
  writeMissed,
  writeMoved,
  writeProbe,
} from '../../../../src/store/engines/postgres/postgres-notifications.js'
import { checkPartition } from '../../../../src/store/keys.js'

const read = (payloads: readonly string[]): (readonly [string, bigint])[] =>
  payloads.flatMap((payload) => {
    const notification = readNotification(payload)
    return notification?.kind === 'moved' ? notification.versions : []
  })

t.test('partitions of any name and number fit into payloads that PostgreSQL takes', async (t) => {
  const widest = Array.from({ length: 9 }, (_, i) => String.fromCharCode(i + 1).repeat(400))
  const names = [
    ...widest,
    'é'.repeat(200),
    '"'.repeat(400),
    ...Array.from({ length: 2_000 }, (_, i) => `mailbox/${i}`),
  ]
  names.forEach(checkPartition)
  const versions = names.map((name, i) => [name, 2n ** 63n - 1n - BigInt(i)] as const)
  const payloads = writeMoved('me', versions)
  for (const payload of payloads) t.ok(Buffer.byteLength(payload) < 8_000)
  t.same(read(payloads), versions)
  t.ok(payloads.length < 20, 'many share one')
  t.same(writeMoved('me', []), [])
})

t.test('what was not written by this version is no notification', async (t) => {
  t.same(readNotification(writeMissed('me')), { kind: 'missed', from: 'me' })
  t.same(readNotification(writeProbe('me', 3)), { kind: 'probe', from: 'me', number: 3 })
  for (const payload of [
    '',
    '{',
    'null',
    '{"kind":"moved","from":"me"}',
    '{"kind":"moved","from":"me","versions":[["p","-1"]]}',
    '{"kind":"moved","from":"me","versions":[["p",1]]}',
    '{"kind":"more","from":"me"}',
  ])
    t.equal(readNotification(payload), undefined, payload)
})
