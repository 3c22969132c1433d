import { join } from 'node:path'
import t from 'tap'
import { addressOwner } from '../../../src/mailbox/addresses.js'
import { listMailboxes } from '../../../src/mailbox/all-mailboxes.js'
import { solvedBits, sweepChallenges } from '../../../src/lifecycle/claims/challenge.js'
import { DAY, MINUTE } from '../../../src/lib/clock.js'
import { sha256Hex } from '../../../src/lib/ids.js'
import { openLmdb } from '../../../src/store/engines/lmdb/lmdb.js'
import { claim, fail, folder, mortal, runClaimTasks, solve, world } from './world.js'
import { memoryEngine } from '../../support/store/memory-engine.js'

void t.test('an agent with a solved challenge gets its address, a key and a link for its human', async (t) => {
  const w = await world(t)
  const challenge = await w.claims.challenge('192.0.2.1')
  t.match(challenge, { difficulty: 4, domains: ['agents.example', 'other.example'], algorithm: 'sha256' })
  t.equal(Date.parse(challenge.expires_at), w.clock.now() + 10 * MINUTE)

  const result = await claim(w, 'my-agent.1')
  t.equal(result.address, 'my-agent.1@agents.example')
  t.match(result.api_key, /^rst_pending_[0-9A-Za-z]{43}$/)
  t.match(result.claim_url, /^https:\/\/mail\.example\/claim\/[0-9A-Za-z]{43}$/)
  t.equal(Date.parse(result.expires_at), w.clock.now() + DAY)
  t.match(result.next_steps.join('\n'), /GET \/v1\/claim\/status/)

  const caller = await w.accounts.authenticate(result.api_key)
  t.match(caller, { mailboxStatus: 'pending', account: undefined })
  t.match(await w.claims.status(caller?.mailboxId ?? ''), { status: 'pending', address: result.address })
  t.match(await w.claims.list(), [{ address: result.address, agentName: 'Tester', expiresAt: w.clock.now() + DAY }])

  const token = result.claim_url.split('/').at(-1) ?? ''
  t.match(await w.claims.describe(token), { address: result.address, agentName: 'Tester', status: 'pending' })
  t.equal(await w.claims.describe(token.slice(1) + 'x'), undefined)
  t.equal(await w.claims.describe('no token'), undefined)
})

void t.test('only hashes of the key and the link are stored', async (t) => {
  const seen: string[] = []
  const engine = memoryEngine()
  const w = await world(t, {
    engine: {
      ...engine,
      commit(checks, ops, mark) {
        seen.push(
          ...ops.flatMap(({ partition, key, value }) =>
            [partition, key, value ?? ''].map((x) => Buffer.from(x).toString('latin1')),
          ),
        )
        return engine.commit(checks, ops, mark)
      },
    },
  })
  const { api_key, claim_url } = await claim(w, 'secretive')
  const token = claim_url.split('/').at(-1) ?? ''
  const stored = seen.join('\n')
  for (const secret of [api_key, api_key.replace('rst_pending_', ''), token]) t.notOk(stored.includes(secret))
  t.ok(stored.includes(sha256Hex(api_key)))
})

void t.test('an address can be claimed on each of the domains', async (t) => {
  const w = await world(t)
  const challenge = await w.claims.challenge('192.0.2.1')
  const request = { name: 'robot', challenge: challenge.challenge, nonce: solve(challenge) }
  await t.rejects(w.claims.claim({ ...request, domain: 'foreign.example' }, '192.0.2.1'), {
    code: 'invalid_request',
    fields: [{ field: 'domain' }],
  })
  const result = await w.claims.claim({ ...request, domain: 'Other.Example' }, '192.0.2.1')
  t.equal(result.address, 'robot@other.example')
  t.equal((await claim(w, 'robot')).address, 'robot@agents.example')
})

void t.test('a malformed request says what is wrong and costs no challenge', async (t) => {
  const w = await world(t)
  const challenge = await w.claims.challenge('192.0.2.1')
  const good = { name: 'robot', challenge: challenge.challenge, nonce: solve(challenge) }
  const wrong: [string, object][] = [
    ['name', { name: 'four' }],
    ['name', { name: 'a'.repeat(33) }],
    ['name', { name: 'Robot' }],
    ['name', { name: 'röbot' }],
    ['name', { name: 'ro bot' }],
    ['name', { name: '.robot' }],
    ['name', { name: 'robot-' }],
    ['name', { name: 'ro..bot' }],
    ['name', { name: 'ro.-bot' }],
    ['name', { name: 'robot\n' }],
    ['nonce', { nonce: '' }],
    ['nonce', { nonce: '-1' }],
    ['nonce', { nonce: '0x10' }],
    ['nonce', { nonce: '1'.repeat(33) }],
    ['challenge', { challenge: 'made up' }],
    ['challenge', { challenge: challenge.challenge.slice(0, -1) }],
    ['agent_name', { agentName: 'a'.repeat(101) }],
    ['agent_name', { agentName: 'two\nlines' }],
    ['agent_name', { agentName: 'turned \u202e around' }],
    ['agent_name', { agentName: 'PayPal <service@paypal.com>' }],
    ['agent_name', { agentName: '=?utf-8?Q?PayPal?=' }],
  ]
  for (const [field, change] of wrong) {
    const refused = w.claims.claim({ ...good, ...change }, '192.0.2.1')
    await t.rejects(refused, { code: 'invalid_request', fields: [{ field }] }, JSON.stringify(change))
  }
  t.equal((await w.claims.claim({ ...good, agentName: ' 名前 ' }, '192.0.2.1')).address, 'robot@agents.example')
  t.match(await w.claims.list(), [{ agentName: '名前' }])
})

void t.test('names of the shortest and the longest form are taken', async (t) => {
  const w = await world(t)
  for (const name of ['abcde', '12345', 'a.b-c', 'a'.repeat(32)])
    t.equal((await claim(w, name)).address, `${name}@agents.example`)
})

void t.test(
  'a challenge is spent by whatever comes of it, and each failure has its own code and names the next call',
  async (t) => {
    const w = await world(t)
    await claim(w, 'occupied')
    const failures: [code: string, name: string, nonce: typeof solve][] = [
      ['proof_invalid', 'robot', fail],
      ['name_taken', 'occupied', solve],
      ['name_reserved', 'admin', solve],
      ['name_reserved', 'n.o_reply', solve],
      ['name_reserved', 'post-master', solve],
      ['name_reserved', 'abuse', solve],
      ['name_reserved', 'p0stmaster', solve],
      ['name_reserved', 'p0st.rnaster', solve],
      ['name_reserved', 'adm1n', solve],
      ['name_reserved', 'simulator', solve],
      ['name_reserved', 'slmu1ator', solve],
    ]
    for (const [code, name, nonceOf] of failures) {
      const challenge = await w.claims.challenge('192.0.2.1')
      const request = { name, challenge: challenge.challenge, nonce: nonceOf(challenge) }
      await t.rejects(
        w.claims.claim(request, '192.0.2.1'),
        { code, hint: /GET \/v1\/claim\/challenge/ },
        `${name}: ${code}`,
      )
      const again = { ...request, name: 'robot', nonce: solve(challenge) }
      await t.rejects(w.claims.claim(again, '192.0.2.1'), {
        code: 'challenge_used',
        hint: /GET \/v1\/claim\/challenge/,
      })
    }
    t.equal((await listMailboxes(w.store)).length, 1, 'nothing else was made')
  },
)

void t.test('a challenge works once, also after a restart and for many at once', async (t) => {
  const w = await world(t)
  const challenge = await w.claims.challenge('192.0.2.1')
  const attempts = ['first', 'second', 'third'].map((name) =>
    w.claims.claim({ name, challenge: challenge.challenge, nonce: solve(challenge) }, '192.0.2.1'),
  )
  const results = await Promise.allSettled(attempts)
  t.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
  const restarted = await world(t, w)
  const request = { name: 'fourth', challenge: challenge.challenge, nonce: solve(challenge) }
  await t.rejects(restarted.claims.claim(request, '192.0.2.1'), { code: 'challenge_used' })
})

void t.test('a challenge lives 10 minutes', async (t) => {
  const w = await world(t)
  const [early, late] = [await w.claims.challenge('192.0.2.1'), await w.claims.challenge('192.0.2.1')]
  w.clock.advance(10 * MINUTE - 1)
  await w.claims.claim({ name: 'early', challenge: early.challenge, nonce: solve(early) }, '192.0.2.1')
  w.clock.advance(1)
  const request = { name: 'too-late', challenge: late.challenge, nonce: solve(late) }
  await t.rejects(w.claims.claim(request, '192.0.2.1'), { code: 'challenge_expired' })
})

void t.test('spent challenges are forgotten once they have expired', async (t) => {
  const engine = mortal(memoryEngine())
  const w = await world(t, { engine })
  await claim(w, 'robot')
  await sweepChallenges(w.store, w.clock.now())
  t.ok((await engine.holding()).includes('challenges'))
  w.clock.advance(10 * MINUTE + 1)
  t.same(await sweepChallenges(w.store, w.clock.now()), { removed: 1, more: false })
  t.notOk((await engine.holding()).includes('challenges'))
})

/** A nonce whose digest has just so many zero bits. */
function exactly(challenge: string, bits: number): string {
  for (let nonce = 0; ; nonce++) if (solvedBits(challenge, String(nonce)) === bits) return String(nonce)
}

void t.test('challenges that were fetched while they were easy do not evade the rise', async (t) => {
  const w = await world(t, { difficulty: 1 })
  const stock = await Promise.all(Array.from({ length: 40 }, () => w.claims.challenge('192.0.2.1')))
  t.ok(stock.every(({ difficulty }) => difficulty === 1))
  const use = (i: number, bits = 1, client = '192.0.2.1') => {
    const { challenge = '' } = stock[i] ?? {}
    return w.claims.claim({ name: `stock-${i}`, challenge, nonce: exactly(challenge, bits) }, client)
  }
  const results = await Promise.allSettled(stock.slice(0, 30).map((_, i) => use(i)))
  const made = results.filter(({ status }) => status === 'fulfilled').length
  t.equal(made, 16, 'of those that come at once too: 8 at 1 bit, 8 that are one short of the 2 that are asked for')
  for (const result of results)
    if (result.status === 'rejected')
      t.match(result.reason, { code: 'difficulty_raised', message: / 3 zero bits/, hint: /fresh challenge/ })
  const late = results.findIndex(({ status }) => status === 'rejected')
  await t.rejects(use(late), { code: 'challenge_used' }, 'it is spent')
  t.equal((await w.claims.challenge('192.0.2.1')).difficulty, 3, 'what was refused raises nothing')
  t.match(await use(30, 3), { address: 'stock-30@agents.example' }, 'the work counts, not what the challenge asked for')
  t.match(await use(31, 2), { address: 'stock-31@agents.example' }, 'one bit less will do')
  t.match(await use(32, 1, '198.51.100.1'), { address: 'stock-32@agents.example' }, 'others claim as before')
  t.match(await claim(w, 'fresh-one'), { address: 'fresh-one@agents.example' })
  w.clock.advance(9 * MINUTE)
  await t.rejects(use(33), { code: 'difficulty_raised' })
})

void t.test('many who claim much get harder challenges', async (t) => {
  const w = await world(t, { difficulty: 1 })
  for (let i = 0; i < 8; i++) await claim(w, `robot-${i}`)
  t.equal((await w.claims.challenge('192.0.2.77')).difficulty, 2)
  t.equal((await w.claims.challenge('198.51.100.1')).difficulty, 1)
})

for (const engine of ['memory', 'lmdb'] as const) {
  void t.test(`exactly one of many gets a name (${engine})`, async (t) => {
    const w = await world(t, {
      engine: engine === 'lmdb' ? openLmdb({ path: join(folder(t), 'store') }) : memoryEngine({ conflicts: 0.3 }),
    })
    t.teardown(() => w.store.close())
    const results = await Promise.allSettled(Array.from({ length: 12 }, () => claim(w, 'popular')))
    const won = results.filter((result) => result.status === 'fulfilled')
    t.equal(won.length, 1)
    for (const result of results) if (result.status === 'rejected') t.match(result.reason, { code: 'name_taken' })

    const winner = await w.accounts.authenticate(won[0]?.value.api_key ?? '')
    t.equal(await addressOwner(w.store, 'popular@agents.example'), winner?.mailboxId)
    w.clock.advance(MINUTE)
    await runClaimTasks(w)
    t.equal(
      await addressOwner(w.store, 'popular@agents.example'),
      winner?.mailboxId,
      'the others’ clean-up leaves it alone',
    )
    t.equal((await listMailboxes(w.store)).length, 1)
  })
}
