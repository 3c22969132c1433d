import t from 'tap'
import { DAY, HOUR } from '../../src/lib/clock.js'
import {
  FROM,
  REDIRECT,
  codeOf,
  connect,
  newProof,
  queryOf,
  redeeming,
  refreshing,
  sweep,
  world,
  type World,
} from './world.js'

async function isKnown(w: World): Promise<boolean> {
  return (await w.oauth.consent.check(queryOf(w, newProof()), FROM)).outcome === 'valid'
}

t.test('the same metadata is the same client, and other metadata another', async (t) => {
  const w = await world(t)
  const register = async (metadata: object) => (await w.oauth.registrations?.register(metadata, FROM))?.client_id
  t.equal(
    await register({ client_name: 'Helper', redirect_uris: [REDIRECT], logo_uri: 'https://x.example/' }),
    w.clientId,
  )
  t.not(await register({ client_name: 'Helper 2', redirect_uris: [REDIRECT] }), w.clientId)
  t.not(await register({ client_name: 'Helper', redirect_uris: [REDIRECT, `${REDIRECT}2`] }), w.clientId)
})

t.test('a name is one line that can be read, whatever was registered', async (t) => {
  const w = await world(t)
  const nameOf = async (name: string): Promise<string | undefined> =>
    (await w.oauth.registrations?.register({ client_name: name, redirect_uris: [REDIRECT] }, FROM))?.client_name
  t.equal(await nameOf('  My\n\tAgent\u00a0X '), 'My Agent X')
  t.equal(await nameOf('Go\u200bog\u00adle\u202e\u2066\ufe0f\u3164'), 'Google')
  t.equal(await nameOf(`Z${'\u0335'.repeat(50)}`), 'Z\u0335\u0335')
  t.equal((await nameOf('x'.repeat(5000)))?.length, 100)
  t.equal(await nameOf('\u200b\u200b'), undefined)
})

t.test('a client that nobody connects is forgotten after a day', async (t) => {
  const w = await world(t)
  w.clock.advance(DAY - HOUR)
  t.ok(await isKnown(w))
  w.clock.advance(HOUR)
  t.notOk(await isKnown(w))
  await sweep(w)
  const left = await w.store.read(`token/oauth-client/${w.clientId}`, (view) =>
    view.range({ gte: Buffer.of(0), lt: Buffer.of(255) }),
  )
  t.same(left, [])
})

t.test('a connection keeps its client as long as it lasts', async (t) => {
  const w = await world(t)
  const proof = newProof()
  let tokens = await w.oauth.grants.token(redeeming(w, await codeOf(w, proof), proof))
  for (let i = 0; i < 4; i++) {
    w.clock.advance(29 * DAY)
    await sweep(w)
    tokens = await w.oauth.grants.token(refreshing(w, tokens.refresh_token))
  }
  t.ok(await isKnown(w))
  await w.oauth.registrations?.register({ client_name: 'Helper', redirect_uris: [REDIRECT] }, FROM)
  w.clock.advance(30 * DAY - 1)
  t.ok(await w.oauth.grants.token(refreshing(w, tokens.refresh_token)), 'registering again shortens nothing')
  w.clock.advance(33 * DAY)
  t.notOk(await isKnown(w))
})

t.test('a network, and all of them, register so many in an hour', async (t) => {
  const w = await world(t, { registrationsPerHour: 40 })
  const register = (i: number, from: string) =>
    w.oauth.registrations?.register({ redirect_uris: [`https://a.example/${i}`] }, from)
  for (let i = 1; i < 30; i++) await register(i, FROM)
  await t.rejects(async () => register(30, FROM), { code: 'rate_limited' }, 'the 31st, with the one of the world')
  for (let i = 0; i < 10; i++) await register(i, `2001:db8:0:${i}::1`)
  await t.rejects(async () => register(1, '192.0.2.9'), { code: 'rate_limited' })
  w.clock.advance(HOUR)
  await register(1, FROM)
  t.ok(await connect(w))
})
