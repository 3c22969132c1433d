/** What costly requests cost those who send them: their work ends with them, and counts against the limits of their key and account. */
import { connect } from 'node:net'
import { once } from 'node:events'
import { pathToFileURL } from 'node:url'
import { BroadcastChannel } from 'node:worker_threads'
import t from 'tap'
import type { Caller } from '../../src/accounts/types.js'
import { askerOf, createRateLimits, MS_A_REQUEST } from '../../src/http/limits/limits.js'
import { ClientGone } from '../../src/http/message.js'
import { listen } from '../../src/http/server/server.js'
import { ThreadPool } from '../../src/lib/thread-pool.js'
import { testDriver } from '../http/test-driver.js'
import { accountRecord } from '../support/account.js'

const CALLER: Caller = {
  keyId: 'key_1',
  mailboxId: 'mbx_1',
  account: accountRecord(),
  mailboxStatus: 'claimed',
  scopes: ['mail:read'],
}

t.test('work in a thread ends when its client disconnects, and what it took is charged', async (t) => {
  const code = pathToFileURL('test/lib/workers/odd-jobs.mjs')
  const pool = new ThreadPool<object, string>({ code, count: 1, deadlineMs: 100_000, maxHeapMb: 64, graceMs: 1 })
  t.teardown(() => pool.close())
  const charged: number[] = []
  const rates = { charge: (_caller: unknown, requests: number) => void charged.push(requests) }
  const ends: unknown[] = []
  const errors: unknown[] = []
  const server = await listen({
    driver: testDriver(),
    host: '127.0.0.1',
    port: 0,
    maxHeldBodyBytes: 1000,
    async handler(request) {
      const asker = askerOf(CALLER, request, rates)
      try {
        await pool.run({ kind: 'hold', name: 'costly', gate: new SharedArrayBuffer(4) }, asker)
      } catch (error) {
        ends.push(error)
        throw error
      }
      return { status: 200, body: 'done' }
    },
    onError: (error) => errors.push(error),
    warn: (message) => t.fail(message),
  })
  t.teardown(() => server.close(0))
  const told = new BroadcastChannel('odd-jobs')
  t.teardown(() => told.close())
  const begun = new Promise((resolve) => (told.onmessage = resolve))
  const socket = connect(server.port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n')
  await begun
  t.equal(pool.running, 1)
  socket.destroy()
  t.equal(await pool.run({ kind: 'say', name: 'the thread is free' }, { owner: 'other' }), 'the thread is free')
  t.ok(ends[0] instanceof ClientGone)
  t.equal(charged.length, 1)
  t.same(errors, [], 'it is no fault of ours')
})

t.test('thread time counts as requests of the key and of its account', (t) => {
  const rates = createRateLimits({ perKey: 10, perAccount: 15 })
  const other: Caller = { ...CALLER, keyId: 'key_other' }
  const request = { signal: new AbortController().signal }
  t.equal(rates.countCaller(CALLER).remaining, 9)
  const asker = askerOf(CALLER, request, rates)
  asker.charge?.(MS_A_REQUEST - 1)
  t.equal(rates.countCaller(CALLER).remaining, 8, 'a short job costs nothing more')
  asker.charge?.(5 * MS_A_REQUEST)
  t.equal(rates.countCaller(CALLER).remaining, 2)
  t.equal(
    rates.countCaller(other).remaining,
    15 - 9,
    'another key of the account has its own limit, and shares the account’s',
  )
  asker.charge?.(100 * MS_A_REQUEST)
  t.throws(() => rates.countCaller(CALLER), { code: 'rate_limited' })
  t.throws(() => rates.countCaller(other), { code: 'rate_limited' })
  t.end()
})

t.test('a connection is watched only for work that goes to a thread', (t) => {
  let watched = 0
  const request = {
    get signal() {
      watched++
      return new AbortController().signal
    },
  }
  const asker = askerOf(CALLER, request, undefined)
  t.equal(asker.owner, CALLER.account?.id)
  t.equal(asker.key, CALLER.keyId)
  t.equal(watched, 0)
  t.ok(asker.signal)
  t.equal(watched, 1)
  t.end()
})
