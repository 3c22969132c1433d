/** What is packed comes back as it was; lists are what a plain set of places is. */
import fc from 'fast-check'
import t from 'tap'
import { packBody, rawIn, unpackBody } from '../../src/mailbox/body-row.js'
import { packEvents, unpackEvents } from '../../src/mailbox/event-rows.js'
import { newestListed, oldestListed, isListedAt, saveLists, STRETCH } from '../../src/mailbox/lists.js'
import { contentOf } from '../../src/mailbox/message.js'
import { packMessage, shownOf, unpackMessage } from '../../src/mailbox/message-rows.js'
import { parseMessage } from '../../src/mime/parse/parse.js'
import { newId } from '../../src/lib/ids.js'
import { timestamp } from '../../src/lib/clock.js'
import { prefixRange } from '../../src/store/keys.js'
import { createStore } from '../../src/store/store.js'
import { memoryEngine } from '../support/store/memory-engine.js'

const LIMITS = { maxHeaderBytes: 65_536, maxParts: 100, maxDepth: 20 }
const HEAD = 'From: Ada <ada@peer.test>\r\nTo: bob@agents.test\r\nSubject: Plan\r\nX-Odd: a\r\nX-Odd: b\r\n'

async function roundTrip(raw: string, prefix = ''): Promise<{ packed: number; isSame: boolean; raw: boolean }> {
  const bytes = Buffer.from(raw)
  const content = contentOf(await parseMessage(bytes, LIMITS), 0)
  const stored = Buffer.concat([Buffer.from(prefix), bytes])
  const row = packBody(content, null, stored)
  const { places: _places, ...wanted } = content
  const read = { ...shownOf(content), ...unpackBody(row).content }
  return {
    packed: row.length - stored.length,
    isSame: JSON.stringify(sorted(read)) === JSON.stringify(sorted(wanted)),
    raw: Buffer.compare(rawIn(row), stored) === 0,
  }
}

const sorted = (record: object) => Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1))

t.test('a body comes back, and a text that stands in the raw message takes no room', async (t) => {
  const words = 'Some words of a letter that goes on for a while, à la carte. '.repeat(40)
  const qp = words.replaceAll('à', '=C3=A0').replace(/.{1,70}(?<!=.?)/g, '$&=\r\n')
  const base64 = Buffer.from(words.replaceAll('. ', '.\r\n')).toString('base64').replace(/.{76}/g, '$&\r\n')
  const type = 'MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n'
  const plain: Record<string, string> = {
    '8bit': `${HEAD}${type}Content-Transfer-Encoding: 8bit\r\n\r\n${words}\r\n`,
    'quoted-printable': `${HEAD}${type}Content-Transfer-Encoding: quoted-printable\r\n\r\n${qp}\r\n`,
    base64: `${HEAD}${type}Content-Transfer-Encoding: base64\r\n\r\n${base64}\r\n`,
    'no encoding named': `${HEAD}\r\n${words.replaceAll('à', 'a')}\r\n`,
    'HTML alone': `${HEAD}MIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>${words}</p>\r\n`,
  }
  for (const [name, raw] of Object.entries(plain)) {
    for (const prefix of ['', 'Return-Path: <x@y.test>\r\nReceived: from somewhere\r\n']) {
      const { packed, ...same } = await roundTrip(raw, prefix)
      t.same(same, { isSame: true, raw: true }, name)
      // Of HTML alone the text is made from it, and stored.
      t.ok(packed < (name === 'HTML alone' ? words.length + 600 : 600), `${name}: ${packed}`)
    }
  }
  const both = `${HEAD}MIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\n${type}\r\n${words}\r\n--b\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(`<p>${words}</p>`).toString('base64')}\r\n--b--\r\n`
  const { packed, ...same } = await roundTrip(both)
  t.same(same, { isSame: true, raw: true })
  t.ok(packed < 600, `both parts: ${packed}`)
  for (const odd of [
    `${HEAD}Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\ncaf=E9\r\n`,
    `${HEAD}Content-Type: text/plain; format=flowed\r\n\r\nflowed \r\nwords\r\n`,
    `${HEAD}\r\nze\u200bro width\r\n`,
    `${HEAD}\r\n`,
    `__proto__: x\r\n${HEAD}constructor: y\r\n\r\nlines\rwith CR alone\n`,
    `${HEAD}\r\nHello.\r\n\r\nOn Monday Bob wrote:\r\n> earlier words\r\n`,
  ])
    t.match(await roundTrip(odd), { isSame: true, raw: true }, odd.slice(HEAD.length, HEAD.length + 40))
})

t.test('any bytes as a message: the body comes back', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('7bit', 'base64', 'quoted-printable', 'x-uuencode', ''),
      fc.string({ unit: 'binary', maxLength: 300 }),
      async (encoding, text) => {
        const { isSame, raw } = await roundTrip(`${HEAD}Content-Transfer-Encoding: ${encoding}\r\n\r\n${text}`)
        return isSame && raw
      },
    ),
    { numRuns: 300 },
  )
})

t.test('a message and its events come back', async (t) => {
  const at = Date.UTC(2026, 0, 1)
  const recipient = {
    address: 'eve@example.org',
    status: 'deferred' as const,
    smtp_code: 451,
    detail: '451 later',
    attempts: 2,
    next_attempt_at: timestamp(at + 1000),
    at: timestamp(at),
  }
  const check = {
    category: 'legitimate' as const,
    scores: { legitimate: 0.997, spam: 0.002 },
    decision: 'send' as const,
    // The first as rows of versions before classes have it.
    reasons: [
      { code: 'x', detail: 'y' },
      { code: 'ransom', detail: 'y', class: 'extortion' },
    ],
    reviewed_by: 'staff',
    reviewed_at: timestamp(at + 5),
  }
  const state = {
    id: newId('msg', at),
    threadId: newId('thr', at),
    seq: 2 ** 45,
    direction: 'outbound' as const,
    status: 'sending' as const,
    labels: ['sent', 'a/b'],
    unread: false,
    rawBytes: 5,
    rawIn: 'blob' as const,
    rawSha256: 'ab'.repeat(32),
    recipients: [recipient],
    check,
    holdReasons: [{ code: 'thread_rate' as const, detail: 'z' }],
    newRecipientCount: 2,
    isAnswer: true as const,
    requireTls: true as const,
    trashed: { at, seq: 7 },
    cancelled: { code: 'requested', detail: 'w' },
    sendAt: at + 9,
    sentAt: null,
    createdAt: at,
    updatedAt: at + 1,
    shown: {
      from: { address: 'ada@peer.test', name: 'Ada' },
      to: [recipient.address, 'x@y.test'].map((address) => ({ address, name: '' })),
      cc: [],
      bcc: [],
      reply_to: [],
      subject: 'S',
      preview: 'P',
      message_id: null,
      in_reply_to: 'a@b',
      automation: null,
      attachments: [],
    },
  }
  t.strictSame(unpackMessage(packMessage(state)), state)
  const small = { ...state, check: null, shown: null, recipients: [], sentAt: at }
  t.strictSame(unpackMessage(packMessage(small)), small)
  for (const garbled of [Buffer.from('cut off'), packMessage(state).subarray(0, -3), Buffer.alloc(0)])
    t.throws(() => unpackMessage(garbled), SyntaxError)

  const told = recipient
  const data = {
    message_id: state.id,
    thread_id: 'not an id',
    recipients: [told].map(({ attempts: _attempts, at: _at, ...rest }) => rest),
    check,
    unknown: { deep: [1, null, 'x'] },
    from: { address: 'a@b.test', name: null },
  }
  const events = [
    { id: newId('evt', at), type: 'message.status' as const, at, data },
    { id: newId('evt', at), type: 'claim.claimed' as const, at: at + 1, data: {} },
  ]
  t.strictSame(
    unpackEvents(packEvents(events), 41, 'mbx_1'),
    events.map(({ at: when, id, type, data: of }, i) => {
      return { seq: 40 + i, id, object: 'event', type, timestamp: timestamp(when), mailbox_id: 'mbx_1', data: of }
    }),
  )
})

t.test('lists are what a set of places is, for threads and messages apart', async () => {
  const place = fc.oneof(fc.nat(40), fc.nat(5 * STRETCH), fc.nat(2 ** 40))
  const step = fc.record({
    kind: fc.constantFrom('thread' as const, 'message' as const),
    before: fc.option(place),
    after: fc.option(place),
    name: fc.constantFrom('all', 'label:inbox', 'label:sent', 'unread', 'label:x'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), place, async (steps, at) => {
      const store = createStore(memoryEngine())
      const model = new Map<string, Set<number>>()
      for (const { kind, before, after, name } of steps) {
        // What stays where it was is not looked at.
        if (before === after) continue
        const set = model.get(`${kind} ${name}`) ?? new Set()
        model.set(`${kind} ${name}`, set)
        const standing = (seq: number | null) => (seq === null ? undefined : { seq, names: [name] })
        await store.write('mailbox/x', (tx) => saveLists(tx, kind, standing(before), standing(after)))
        if (before !== null) set.delete(before)
        if (after !== null) set.add(after)
      }
      const isRight = await store.read('mailbox/x', async (view) => {
        for (const [which, set] of model) {
          const [kind, name = ''] = which.split(' ')
          if (kind !== 'thread' && kind !== 'message') return false
          const all = [...set].sort((a, b) => a - b)
          const below = all.filter((seq) => seq <= at).reverse()
          const above = all.filter((seq) => seq >= at)
          const newest = await newestListed(view, name, kind, at, 7)
          const oldest = await oldestListed(view, name, kind, at, 7)
          if (newest.join() !== below.slice(0, 7).join() || oldest.join() !== above.slice(0, 7).join()) return false
          if ((await isListedAt(view, name, kind, at)) !== set.has(at)) return false
        }
        return true
      })
      const rows = await store.read('mailbox/x', (view) => view.range({ ...prefixRange(), limit: 1000 }))
      await store.close()
      return isRight && (rows.length > 0 || [...model.values()].every(({ size }) => size === 0))
    }),
    { numRuns: 150 },
  )
})
