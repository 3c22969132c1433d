import t from 'tap'
import { DAY, HOUR } from '../../src/lib/clock.js'
import { memoryEngine } from '../support/store/memory-engine.js'
import { mortal } from '../support/store/mortal-engine.js'
import { codeOf, connect, newProof, redeeming, refreshing, sweep, world } from './world.js'

const MOMENTS = ['before', 'after'] as const

t.test('a redemption that is cut off at any commit leaves nobody in, or who came in', async (t) => {
  for (const moment of MOMENTS) {
    for (let at = 1; at <= 12; at++) {
      const disk = memoryEngine()
      const process = mortal(disk, at, moment)
      const w = await world(t, { engine: process.engine })
      const proof = newProof()
      const code = await codeOf(w, proof)
      process.arm()
      const first = await w.oauth.grants.token(redeeming(w, code, proof)).catch(() => undefined)
      const next = await world(t, { engine: disk, before: w })
      const where = `${moment} commit ${at}`
      if (first) {
        t.ok(await next.accounts.authenticate(first.access_token), `${where}: what was answered holds`)
        t.ok(await next.oauth.grants.token(refreshing(next, first.refresh_token)), where)
        if (!process.died()) break
        continue
      }
      // Its client never had an answer: the code is good still, or spent with nobody in possession of a token.
      const again = await next.oauth.grants.token(redeeming(next, code, proof)).catch(() => undefined)
      const living = await next.oauth.connections.list(next.accountId)
      t.equal(living.length, again ? 1 : 0, `${where}: a connection is there if somebody has it`)
      if (again) t.ok(await next.accounts.authenticate(again.access_token), where)
      w.clock.advance(HOUR)
      await sweep(next)
    }
  }
})

t.test('a refresh that is cut off goes on with the token that the client has, or ends', async (t) => {
  for (const moment of MOMENTS) {
    for (let at = 1; at <= 8; at++) {
      const disk = memoryEngine()
      const process = mortal(disk, at, moment)
      const w = await world(t, { engine: process.engine })
      const tokens = await connect(w)
      w.clock.advance(2 * DAY)
      process.arm()
      const refreshed = await w.oauth.grants.token(refreshing(w, tokens.refresh_token)).catch(() => undefined)
      const next = await world(t, { engine: disk, before: w })
      const has = refreshed?.refresh_token ?? tokens.refresh_token
      const outcome = await next.oauth.grants.token(refreshing(next, has)).catch(() => undefined)
      const living = await next.oauth.connections.list(next.accountId)
      t.equal(living.length, outcome ? 1 : 0, `${moment} commit ${at}`)
      if (refreshed) t.ok(outcome, `${moment} commit ${at}: what was answered holds`)
      if (outcome) t.ok(await next.accounts.authenticate(outcome.access_token))
      if (!process.died()) break
    }
  }
})

t.test('an end that is cut off is an end, or was not answered', async (t) => {
  for (const moment of MOMENTS) {
    for (let at = 1; at <= 3; at++) {
      const disk = memoryEngine()
      const process = mortal(disk, at, moment)
      const w = await world(t, { engine: process.engine })
      const tokens = await connect(w)
      const form = new URLSearchParams({ token: tokens.refresh_token })
      process.arm()
      const answered = await w.oauth.grants.revoke(form).then(
        () => true,
        () => false,
      )
      const next = await world(t, { engine: disk, before: w })
      if (answered) t.equal(await next.accounts.authenticate(tokens.access_token), undefined)
      await next.oauth.grants.revoke(form)
      t.equal(await next.accounts.authenticate(tokens.access_token), undefined, `${moment} commit ${at}`)
      t.same(await next.oauth.connections.list(next.accountId), [])
    }
  }
})

t.test('a token of one server is nothing to another', async (t) => {
  const w = await world(t)
  const other = await world(t, { engine: memoryEngine() })
  const proof = newProof()
  const code = await codeOf(other, proof)
  await t.rejects(w.oauth.grants.token(redeeming(w, code, proof)), { code: 'invalid_grant' })
  const tokens = await connect(other)
  t.equal(await w.accounts.authenticate(tokens.access_token), undefined)
  await t.rejects(w.oauth.grants.token(refreshing(w, tokens.refresh_token)), { code: 'invalid_grant' })
})
