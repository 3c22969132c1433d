/** The client of ACME before an authority that checks each of its signatures and nonces, and does not always answer as it should. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createAccountFile, newKey } from '../../src/certificates/account.js'
import { AcmeError } from '../../src/certificates/errors.js'
import { jwkOf } from '../../src/certificates/jws.js'
import { opensslPeer } from '../support/peers/certificates.js'
import { CHAIN, fakeAuthority, NAME, problem, TOKEN } from './fake-authority.js'
import { secretFolder } from '../../src/lib/secret-files.js'

t.test('an order from the directory to the chain', opensslPeer(), async (t) => {
  const fake = await fakeAuthority(t)
  t.equal(await fake.order({ contact: 'postmaster@agents.example' }), CHAIN)
  t.same(fake.paths(), [
    '/directory',
    '/nonce',
    '/account',
    '/order',
    '/authorization/1',
    '/challenge/1',
    '/authorization/1',
    '/order/1',
    '/finalize/1',
    '/order/1',
    '/certificate/1',
  ])
  t.same(fake.asked[2]?.payload, { termsOfServiceAgreed: true, contact: ['mailto:postmaster@agents.example'] })
  t.same(fake.asked[3]?.payload, { identifiers: [{ type: 'dns', value: NAME }] })
  t.same(fake.asked[5]?.payload, {}, 'an empty object takes up the challenge')
  for (const place of [4, 6, 7, 9, 10]) t.equal(fake.asked[place]?.payload, undefined, 'what is read is a POST-as-GET')
  t.same(fake.shown, [{ name: NAME, token: TOKEN, answer: fake.keyAuthorization() }])
  t.equal(fake.takenBack, 1)
  const csr = Buffer.from(Object.values({ ...(fake.asked[8]?.payload ?? {}) }).join(), 'base64url')
  const said = execFileSync('/usr/bin/openssl', ['req', '-inform', 'DER', '-verify', '-noout', '-text'], { input: csr })
  t.match(String(said), `DNS:${NAME}`)
  t.equal(await fake.order({ contact: 'postmaster@agents.example' }), CHAIN)
  t.same(
    fake.paths().slice(11, 14),
    ['/directory', '/nonce', '/order'],
    'the second order uses the account that there is',
  )
  t.same(fake.leftover, [])
})

t.test('what DNS shows is the digest of what HTTP shows', async (t) => {
  const fake = await fakeAuthority(t)
  fake.twist(({ path }, { body }) =>
    path === '/authorization/1' ? { body: JSON.parse(JSON.stringify(body).replace('http-01', 'dns-01')) } : undefined,
  )
  const answers: string[] = []
  await fake.order({
    proof: {
      type: 'dns-01',
      check: async () => undefined,
      show: async ({ answer }) => {
        answers.push(answer)
        return async () => undefined
      },
    },
  })
  t.same(answers, [createHash('sha256').update(fake.keyAuthorization()).digest('base64url')])
})

t.test('a nonce that is refused', async (t) => {
  await t.test('is replaced by the one that the refusal brought, and the request is repeated', async (t) => {
    const fake = await fakeAuthority(t)
    let refusals = 5
    fake.twist(({ path }) => (path === '/order' && refusals-- > 0 ? problem('badNonce') : undefined))
    t.equal(await fake.order(), CHAIN)
    t.same(fake.paths().slice(1, 9), ['/nonce', '/account', ...Array<string>(6).fill('/order')])
    const nonces = fake.asked.flatMap(({ header: { nonce } }) => nonce ?? [])
    t.equal(new Set(nonces).size, nonces.length, 'none is used twice')
  })

  await t.test('is asked for where the refusal brought none, or one that is none', async (t) => {
    const fake = await fakeAuthority(t)
    const brought = ['', 'not base64url!']
    fake.twist(({ path }) => {
      const nonce = path === '/order' ? brought.shift() : undefined
      return nonce === undefined ? undefined : { ...problem('badNonce'), headers: { 'Replay-Nonce': nonce } }
    })
    t.equal(await fake.order(), CHAIN)
    t.same(fake.paths().slice(3, 8), ['/order', '/nonce', '/order', '/nonce', '/order'])
  })

  await t.test('every time ends the order', async (t) => {
    const fake = await fakeAuthority(t)
    fake.twist(({ path }) => (path === '/account' ? problem('badNonce', 'stale') : undefined))
    t.match(await fake.fails(), { kind: 'badNonce', message: 'stale' })
    t.equal(fake.paths().filter((path) => path === '/account').length, 6)
  })

  await t.test('none at all ends it too', async (t) => {
    const fake = await fakeAuthority(t)
    fake.twist(({ path }) => (path === '/nonce' ? { headers: { 'Replay-Nonce': '' } } : undefined))
    t.match(await fake.fails(), { kind: 'malformed', message: /gives no nonce/ })
  })
})

t.test('a directory that is none, or lacks a field', async (t) => {
  const fake = await fakeAuthority(t)
  const { base } = fake
  for (const [body, message] of [
    [{ newNonce: `${base}/nonce`, newAccount: `${base}/account` }, /\/directory is not an ACME directory: newOrder: /],
    [{ newNonce: 7, newAccount: `${base}/account`, newOrder: `${base}/order` }, /newNonce: /],
    ['<html>Welcome</html>', /\/directory is not an ACME directory: /],
    [`{"newNonce":"${'x'.repeat(3000)}"}`, /newNonce: /],
  ] as const) {
    fake.twist(() => ({ body }))
    t.match(await fake.fails(), { kind: 'no_directory', message, advice: /tls\.acme/ })
  }
  t.same([...new Set(fake.paths())], ['/directory'], 'nothing else is asked')
})

t.test('proof is given for the name that was ordered, and for no other', async (t) => {
  const cases = [
    [{ type: 'dns', value: 'other.example' }],
    [
      { type: 'dns', value: NAME },
      { type: 'dns', value: 'other.example' },
    ],
    [{ type: 'ip', value: NAME }],
    [],
  ]
  for (const identifiers of cases) {
    const fake = await fakeAuthority(t)
    fake.twist(({ path }, usual) =>
      path === '/order' ? { ...usual, body: { ...Object(usual.body), identifiers } } : undefined,
    )
    t.match(await fake.fails(), {
      kind: 'malformed',
      message: /requests proof for .*, but mx\.agents\.example was ordered/,
    })
    t.equal(fake.paths().at(-1), '/order')
  }
  const fake = await fakeAuthority(t)
  const identifier = { type: 'dns', value: '--help' }
  fake.twist(({ path }, { body }) =>
    path.startsWith('/authorization') ? { body: { ...Object(body), identifier } } : undefined,
  )
  t.match(await fake.fails(), { kind: 'malformed', message: /requests proof for --help/ })
  t.same(fake.shown, [], 'nothing is shown')
})

t.test('upper case in an answer is the same name', async (t) => {
  const fake = await fakeAuthority(t)
  fake.twist((_asked, usual) => ({
    ...usual,
    body: JSON.parse(JSON.stringify(usual.body ?? '').replaceAll(NAME, NAME.toUpperCase())),
  }))
  t.equal(await fake.order(), CHAIN)
})

t.test('what an authority may send has limits', async (t) => {
  const twisted = async (at: string, change: object): Promise<unknown> => {
    const fake = await fakeAuthority(t)
    fake.twist(({ path }, usual) =>
      path === at ? { ...usual, body: { ...Object(usual.body), ...change } } : undefined,
    )
    const error = await fake.fails()
    t.same(fake.shown, [])
    return error
  }
  const many = Array<string>(21).fill('https://authority.example/1')
  t.match(await twisted('/order', { authorizations: many }), { kind: 'malformed', message: /authorizations: / })
  const challenge = { type: 'http-01', url: 'https://authority.example/1', token: TOKEN }
  for (const challenges of [
    Array(21).fill(challenge),
    [{ ...challenge, token: '../../secrets' }],
    [{ ...challenge, token: 'x'.repeat(2000) }],
    [{ ...challenge, url: `https://${'x'.repeat(3000)}.example` }],
  ])
    t.match(await twisted('/authorization/1', { challenges }), { kind: 'malformed', message: /challenges/ })
  t.match(await twisted('/authorization/1', { status: 'perhaps' }), { kind: 'malformed', message: /status: / })
  for (const challenges of [[], [{ ...challenge, token: undefined }], [{ ...challenge, type: 'dns-01' }]])
    t.match(await twisted('/authorization/1', { challenges }), { kind: 'no_challenge', advice: /tls\.acme_challenge/ })
})

t.test('an account bound to a customer of the authority', async (t) => {
  const hmacKey = 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W'
  const fake = await fakeAuthority(t, { 'customer-1': hmacKey })
  t.match(await fake.fails(), { kind: 'externalAccountRequired', advice: /tls\.acme_eab_key_id/ })
  t.match(await fake.fails({ binding: { kid: 'customer-1', hmacKey: hmacKey.replace('z', 'y') } }), {
    kind: 'unauthorized',
    message: 'the binding is not signed by that key',
  })
  t.equal(await fake.order({ binding: { kid: 'customer-1', hmacKey } }), CHAIN)
})

t.test('the account', async (t) => {
  await t.test('of an earlier release goes on, and its contact follows the settings', async (t) => {
    const fake = await fakeAuthority(t)
    const folder = join(t.testdir(), 'certificates')
    mkdirSync(join(folder, 'accounts'), { recursive: true })
    const name = `${createHash('sha256').update(fake.directory).digest('hex').slice(0, 16)}.json`
    // As 0.1.0 wrote it.
    const key = newKey()
    const url = `${fake.base}/account/1`
    writeFileSync(
      join(folder, 'accounts', name),
      `${JSON.stringify({ directory: fake.directory, key, url, contact: 'a@agents.example' })}\n`,
    )
    fake.accounts.set(url, jwkOf(key))
    const account = createAccountFile(secretFolder(folder), fake.directory)
    t.equal(await fake.order({ account, contact: 'a@agents.example' }), CHAIN)
    t.notOk(fake.paths().some((path) => path.startsWith('/account')))
    t.equal(await fake.order({ account, contact: '' }), CHAIN)
    t.match(
      fake.asked.find(({ path }) => path === '/account/1'),
      { header: { kid: url }, payload: { contact: [] } },
    )
    t.same(readdirSync(join(folder, 'accounts')), [name])
    t.same(JSON.parse(readFileSync(join(folder, 'accounts', name), 'utf8')), {
      directory: fake.directory,
      key,
      url,
      contact: '',
    })
  })

  await t.test('that the authority has forgotten is registered again with its key, once', async (t) => {
    const fake = await fakeAuthority(t)
    t.equal(await fake.order(), CHAIN)
    const [jwk] = fake.accounts.values()
    fake.accounts.clear()
    fake.asked.length = 0
    t.equal(await fake.order(), CHAIN)
    t.same(fake.paths().slice(0, 6), ['/directory', '/nonce', '/order', '/directory', '/nonce', '/account'])
    t.same([...fake.accounts.values()], [jwk])
    fake.asked.length = 0
    fake.twist(({ path }) => (path === '/order' ? problem('accountDoesNotExist', 'who are you') : undefined))
    t.match(await fake.fails(), { kind: 'accountDoesNotExist', message: 'who are you' })
    t.equal(fake.paths().filter((path) => path === '/order').length, 2)
  })

  await t.test('that was there already gets the contact of the settings', async (t) => {
    const fake = await fakeAuthority(t)
    const folder = join(t.testdir(), 'certificates')
    const account = createAccountFile(secretFolder(folder), fake.directory)
    await fake.order({ account })
    // The answer to the first registration was lost.
    const { directory, key } = await account.open()
    await account.save({ directory, key })
    fake.asked.length = 0
    t.equal(await fake.order({ account, contact: 'b@agents.example' }), CHAIN)
    t.match(fake.asked.slice(2, 4), [
      { path: '/account' },
      { path: '/account/1', payload: { contact: ['mailto:b@agents.example'] } },
    ])
  })

  await t.test('needs a place', async (t) => {
    const fake = await fakeAuthority(t)
    fake.twist(({ path }) => (path === '/account' ? { status: 201, body: {} } : undefined))
    t.match(await fake.fails(), { kind: 'malformed', message: /does not say where the account is/ })
  })
})

t.test('the next look is as late as the authority wants it, within bounds', async (t) => {
  const fake = await fakeAuthority(t)
  const wanted = ['', '0', '10', '86400', new Date(Date.now() + 3_600_000).toUTCString(), 'soon', '-5', '']
  let looks = 0
  fake.twist(({ path }, { body }) => {
    // The first one is not a look yet: nothing was shown.
    if (path !== '/authorization/1' || fake.shown.length === 0) return undefined
    const value = wanted[looks++]
    if (value === undefined) return undefined
    return { body: { ...Object(body), status: 'pending' }, headers: { 'Retry-After': value } }
  })
  t.equal(await fake.order(), CHAIN)
  t.same(fake.waits, [200, 500, 10_000, 60_000, 60_000, 5000, 5000, 5000])
})

t.test('an order is finalized when it is ready, and had when it is valid', async (t) => {
  const fake = await fakeAuthority(t)
  const states = ['pending', 'ready', 'ready', 'processing', 'valid']
  fake.twist(({ path }, { body }) =>
    path === '/order/1' ? { body: { ...Object(body), status: states.shift() } } : undefined,
  )
  t.equal(await fake.order(), CHAIN)
  t.same(fake.paths().slice(7), [
    '/order/1',
    '/order/1',
    '/finalize/1',
    '/order/1',
    '/order/1',
    '/order/1',
    '/certificate/1',
  ])
  t.same(fake.waits, [200, 200, 500])

  for (const [at, change, wanted] of [
    [1, { status: 'invalid' }, { kind: 'invalid', message: /refused the order/ }],
    [
      2,
      { status: 'invalid', error: problem('caa', 'not by us').body },
      { kind: 'caa', message: 'not by us', advice: /CAA/ },
    ],
    [2, { status: 'valid', certificate: undefined }, { kind: 'malformed', message: /where the certificate is/ }],
    [2, { status: 'invalid', error: 'nonsense' }, { kind: 'invalid' }],
  ] as const) {
    const bad = await fakeAuthority(t)
    let looks = 0
    bad.twist(({ path }, { body }) =>
      path === '/order/1' && (looks += 1) === at ? { body: { ...Object(body), ...change } } : undefined,
    )
    t.match(await bad.fails(), wanted)
  }
})

t.test('an authorization that came to nothing', async (t) => {
  const judged = async (error: unknown): Promise<unknown> => {
    const fake = await fakeAuthority(t)
    fake.twist(({ path }, { body }) =>
      path === '/authorization/1' && fake.shown.length > 0
        ? {
            body: {
              ...Object(body),
              status: 'invalid',
              challenges: [{ type: 'http-01', url: `${fake.base}/challenge/1`, token: TOKEN, error }],
            },
          }
        : undefined,
    )
    const failure = await fake.fails()
    t.equal(fake.takenBack, 1)
    t.equal(fake.paths().filter((path) => path === '/authorization/1').length, 2, 'one that was judged stays')
    return failure
  }
  t.match(await judged(problem('connection', 'refused').body), { kind: 'connection', message: 'refused' })
  t.match(await judged(undefined), { kind: 'unauthorized', message: /reports the challenge as invalid/ })

  const fake = await fakeAuthority(t)
  const proof = {
    type: 'http-01' as const,
    check: async () => undefined,
    show: () => Promise.reject(new AcmeError('program', 'no such zone')),
  }
  t.match(await fake.fails({ proof }), { kind: 'program', message: 'no such zone' })
  t.match(fake.asked.at(-1), { path: '/authorization/1', payload: { status: 'deactivated' } })
})

t.test('a name that the authority holds to be ours needs no proof', async (t) => {
  const fake = await fakeAuthority(t)
  fake.twist(({ path }, { body }) => {
    if (path === '/authorization/1') return { body: { ...Object(body), status: 'valid' } }
    if (path !== '/order/1' || fake.paths().includes('/finalize/1')) return undefined
    return { body: { ...Object(body), status: 'ready' } }
  })
  t.equal(await fake.order(), CHAIN)
  t.same(fake.shown, [])
  t.notOk(fake.paths().includes('/challenge/1'))
})
