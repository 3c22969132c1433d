/** Passkeys with an authenticator in software: what is taken, what is refused, and what is stored. */
import t from 'tap'
import { createPasskeys, MAX_PASSKEYS } from '../../../src/accounts/sign-in/passkeys.js'
import { accountPartition, ensureAccount, putAccount, removeAccount } from '../../../src/accounts/record.js'
import { ManualClock } from '../../../src/lib/clock.js'
import { createStore } from '../../../src/store/store.js'
import { softAuthenticator } from '../../support/authenticator.js'
import { memoryEngine } from '../../support/store/memory-engine.js'

const USUAL = { origin: 'https://mail.example', rpId: 'mail.example', isVerified: true, counter: 0 }
const ADA = { provider: 'email', subject: 's', username: null, email: 'ada@people.test', emailVerified: true }
const REFUSED = { kind: 'refused', detail: String }
const CHALLENGE = Buffer.alloc(32, 1).toString('base64url')
const OTHER = Buffer.alloc(32, 2).toString('base64url')

async function setting() {
  const clock = new ManualClock()
  const store = createStore(memoryEngine())
  const passkeys = createPasskeys({ store, clock, origin: 'https://mail.example' })
  const account = await ensureAccount(store, 'ada@people.test', clock.now())
  const device = softAuthenticator(USUAL)
  const add = (changes: Partial<Parameters<typeof passkeys.add>[1]> = {}) =>
    passkeys.add(account.id, {
      response: device.create(CHALLENGE),
      challenge: CHALLENGE,
      name: 'Phone',
      identity: ADA,
      ...changes,
    })
  return { clock, store, passkeys, account, device, add }
}

t.test('a passkey proves its account and the identity that it was made with, and notes its use', async (t) => {
  const { clock, passkeys, account, device, add } = await setting()
  const options = await passkeys.creation(account.id, CHALLENGE, { service: 'Agents Mail', user: 'ada@people.test' })
  t.match(options, {
    challenge: CHALLENGE,
    rp: { id: 'mail.example', name: 'Agents Mail' },
    user: { id: Buffer.from(account.id).toString('base64url') },
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await add()
  t.match(await passkeys.list(account.id), [{ id: device.id, name: 'Phone', lastUsedAt: null, identity: ADA }])
  t.notOk(Object.keys((await passkeys.list(account.id))[0] ?? {}).includes('publicKey'))
  clock.advance(1000)
  const proven = await passkeys.prove(device.get(OTHER, account.id), OTHER)
  t.match(proven, { kind: 'proven', account: { id: account.id }, identity: ADA })
  t.match(await passkeys.list(account.id), [{ lastUsedAt: clock.now() }])
})

t.test('a response to another challenge, of another site, or without its user is refused', async (t) => {
  const { passkeys, account, device, add } = await setting()
  const bad = [
    { origin: 'https://evil.example' },
    { origin: 'http://mail.example' },
    { origin: 'https://sub.mail.example' },
    { rpId: 'evil.example' },
    { isVerified: false },
  ]
  for (const lies of bad)
    await t.rejects(
      add({ response: device.create(CHALLENGE, lies) }),
      { code: 'invalid_request' },
      JSON.stringify(lies),
    )
  await t.rejects(add({ challenge: OTHER }), { code: 'invalid_request' })
  t.same(await passkeys.list(account.id), [])
  await add()
  for (const lies of bad)
    t.match(await passkeys.prove(device.get(OTHER, account.id, lies), OTHER), REFUSED, JSON.stringify(lies))
  t.match(await passkeys.prove(device.get(OTHER, account.id), CHALLENGE), REFUSED)
  const good = device.get(OTHER, account.id)
  const { signature } = softAuthenticator(USUAL).get(OTHER, account.id).response
  const forged = { ...good, response: { ...good.response, signature } }
  t.same(await passkeys.prove(forged, OTHER), { kind: 'refused', detail: 'its signature is wrong' })
  t.match(await passkeys.prove({ ...good, id: 'x' }, OTHER), REFUSED)
  for (const handle of ['', 'acc_1', account.id.toLowerCase(), 'acc_01J9Z6Y2V5C7Q3H8K4M0N1P2R0'])
    t.match(await passkeys.prove(device.get(OTHER, handle), OTHER), REFUSED, handle)
  t.match(await passkeys.prove(good, OTHER), { kind: 'proven' })
})

t.test('a counter that does not grow is one of a copy', async (t) => {
  const { passkeys, account, device, add } = await setting()
  await add({ response: device.create(CHALLENGE, { counter: 5 }) })
  const use = async (counter: number) =>
    (await passkeys.prove(device.get(OTHER, account.id, { counter }), OTHER)).kind === 'proven'
  t.equal(await use(6), true)
  t.equal(await use(6), false)
  t.equal(await use(0), false)
  t.same([await use(8), await use(7)], [true, false])
  const twice = await Promise.all([use(9), use(9)])
  t.same(twice.sort(), [false, true], 'of two at once, one')
})

t.test('there are ten at most, each once, and one that is removed proves nothing', async (t) => {
  const { passkeys, account, device, add } = await setting()
  await add()
  await t.rejects(add(), { code: 'limit_reached' }, 'the same one again')
  for (let i = 1; i < MAX_PASSKEYS; i++) await add({ response: softAuthenticator(USUAL).create(CHALLENGE), name: '' })
  await t.rejects(add({ response: softAuthenticator(USUAL).create(CHALLENGE) }), { code: 'limit_reached' })
  t.equal((await passkeys.list(account.id)).length, MAX_PASSKEYS)
  await passkeys.remove(account.id, device.id)
  await passkeys.remove(account.id, device.id)
  t.equal((await passkeys.list(account.id)).length, MAX_PASSKEYS - 1)
  t.match(await passkeys.prove(device.get(OTHER, account.id), OTHER), REFUSED)
})

t.test('names are one line, and an account that is gone has no passkeys', async (t) => {
  const { store, passkeys, account, device, add } = await setting()
  const { name } = await add({ name: ` My\n\u0000phone ${'x'.repeat(100)}` })
  t.match(name, /^My ?phone x+/)
  t.ok(name.length <= 64)
  await store.write(accountPartition(account.id), removeAccount)
  t.match(await passkeys.prove(device.get(OTHER, account.id), OTHER), REFUSED)
  await t.rejects(add({ response: softAuthenticator(USUAL).create(CHALLENGE) }), { code: 'invalid_request' })
  await store.write(accountPartition(account.id), (tx) => putAccount(tx, account))
  t.match(await passkeys.prove(device.get(OTHER, account.id), OTHER), { kind: 'proven' })
})
