/** Work of sessions counts in the limits of requests: APPEND and SEARCH are refused once the app password has had its requests of the minute. */
import { EventEmitter, once } from 'node:events'
import { createRateLimits } from '../../../src/http/limits/limits.js'
import { TimedTurns } from '../../../src/mailbox/search/turns.js'
import { makeWorld, present } from '../../mailbox/world.js'
import { ENGINES } from '../../store/engines.js'
import { opensslPeer } from '../../support/peers/certificates.js'
import { startServer } from './server.js'
import t, { type Test } from 'tap'

/** @param workMs of each APPEND */
async function startLimited(t: Test, perKey: number, workMs = 0) {
  const w = await makeWorld(t, present(ENGINES[0]).openStore(t))
  const limits = createRateLimits({ perKey, perAccount: 1000 })
  const charged: number[] = []
  const charges = new EventEmitter()
  const s = await startServer(t, w, {
    importing: {
      prepareAll(mailboxId, folder, messages, asker) {
        asker?.charge?.(workMs)
        return w.mailboxes.importing.prepareAll(mailboxId, folder, messages)
      },
    },
    rates: {
      check: (caller) => void limits.countCaller(caller, 0),
      chargeTime: (_caller, ms) => {
        charged.push(ms)
        charges.emit('charge')
      },
    },
  })
  return { w, limits, charged, charges, s, client: await s.signedIn() }
}

const TOO_MUCH = /^NO \[LIMIT\] More than 3 requests of this key in a minute\. Try again in \d+ seconds\.$/
const MESSAGE = 'Subject: kept\r\n\r\nText.\r\n'
const APPEND = `APPEND INBOX {${MESSAGE.length}+}\r\n${MESSAGE}`

t.test(
  'over the limit, APPEND, SEARCH, SORT and THREAD are refused, and what reads is not',
  opensslPeer(),
  async (t) => {
    const { w, limits, s, client } = await startLimited(t, 3)
    await w.deliver()
    t.match(await client.say('SELECT INBOX'), [/./])
    limits.charge(s.caller(), 3)
    t.match(await client.say('SEARCH ALL'), ['SEARCH 1', /^OK/], 'at the limit')
    t.match((await client.say(APPEND)).at(-1), /^OK \[APPENDUID/)
    limits.charge(s.caller(), 1)
    for (const command of ['SEARCH ALL', 'UID SORT (DATE) UTF-8 ALL', 'THREAD REFERENCES UTF-8 ALL'])
      t.match((await client.say(command)).at(-1), TOO_MUCH, command)
    t.match((await client.say(APPEND)).at(-1), TOO_MUCH)
    const more = `APPEND INBOX {${MESSAGE.length}+}\r\n${MESSAGE} {${MESSAGE.length}+}\r\n${MESSAGE}`
    t.match((await client.say(more)).at(-1), TOO_MUCH, 'all messages of it')
    t.match((await client.say('UID FETCH 1:* FLAGS')).at(-1), /^OK/)
    t.match((await client.say('STATUS INBOX (MESSAGES)'))[0], 'STATUS INBOX (MESSAGES 2)', 'nothing was stored')
  },
)

t.test(
  'the work of APPEND is charged: a little of it together, and the rest when the session ends',
  opensslPeer(),
  async (t) => {
    const { charged, charges, client } = await startLimited(t, 1000, 60)
    for (let i = 0; i < 3; i++) t.match((await client.say(APPEND)).at(-1), /^OK/)
    t.same(charged, [120])
    const last = once(charges, 'charge')
    await client.say('LOGOUT')
    await last
    t.same(charged, [120, 60])
  },
)

t.test('a search tells of its turns', async (t) => {
  const turns: number[] = []
  const timed = new TimedTurns(new AbortController().signal, (ms) => void turns.push(ms))
  await timed.next()
  t.same(turns, [], 'not of what is still going on')
  while (!timed.isOver());
  await timed.next()
  t.equal(turns.length, 1)
  t.ok((turns[0] ?? 0) >= 2)
})
