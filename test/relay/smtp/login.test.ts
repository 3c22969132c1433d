/** Signing in at a smart host (RFC 4954): each mechanism against a server that checks, and against one that answers nonsense. */
import { createHmac } from 'node:crypto'
import t, { type Test } from 'tap'
import { SMTPServer } from 'smtp-server'
import { SessionError } from '../../../src/relay/smtp/failures.js'
import { openSession } from '../../../src/relay/smtp/open-session.js'
import type { Session } from '../../../src/relay/smtp/session.js'
import type { Target } from '../../../src/relay/routing/route.js'
import { listenAnywhere } from '../../support/ports.js'
import { startPeer, type Answer } from '../../support/peers/peer-server.js'

/** With what has to survive base64 and UTF-8. */
const AUTH = { user: 'relay@agents.test', password: 'sécret: p\\ss=' }
const MECHANISMS = ['PLAIN', 'LOGIN', 'CRAM-MD5'] as const

function signIn(port: number, auth = AUTH): Promise<Session> {
  const security = { tls: 'none' as const, auth }
  const target: Target = { host: 'smart.test', address: '127.0.0.1', port, preference: 0, security }
  const options = { hostname: 'us.test', connectTimeoutMs: 5000, responseTimeoutMs: 5000 }
  return openSession(target, security, options, { signal: new AbortController().signal, setupMs: 10_000 })
}

/** What came of it: `in`, or what the error says. */
async function outcomeOf(port: number, auth = AUTH): Promise<{ said: string; code: number | null }> {
  try {
    const session = await signIn(port, auth)
    session.destroy()
    return { said: 'in', code: null }
  } catch (error) {
    if (error instanceof SessionError) return { said: error.message, code: error.smtpCode }
    throw error
  }
}

async function startSmarthost(t: Test, authMethods: string[]): Promise<{ port: number; used: string[] }> {
  const used: string[] = []
  const server = new SMTPServer({
    authMethods,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    onAuth({ method, username, password, validatePassword }, _session, done) {
      used.push(method)
      const isRight =
        username === AUTH.user && (method === 'CRAM-MD5' ? validatePassword(AUTH.password) : password === AUTH.password)
      if (isRight) done(null, { user: username })
      else done(new Error('no such user or password'))
    },
  })
  const port = await listenAnywhere(server.server)
  t.teardown(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { port, used }
}

for (const mechanism of MECHANISMS) {
  t.test(`${mechanism}: a server that checks takes the right password, and refuses others`, async (t) => {
    const { port, used } = await startSmarthost(t, [mechanism])
    t.same(await outcomeOf(port), { said: 'in', code: null })
    for (const wrong of [
      { ...AUTH, password: 'secret' },
      { ...AUTH, user: 'somebody' },
    ]) {
      t.match(await outcomeOf(port, wrong), { said: /^smart\.test \[127\.0\.0\.1\] refuses our login: 535/, code: 535 })
    }
    t.same([...new Set(used)], [mechanism])
  })
}

t.test('of several mechanisms the first of ours is used; PLAIN where none is announced', async (t) => {
  for (const [announced, wanted] of [
    [['CRAM-MD5', 'LOGIN', 'PLAIN'], 'PLAIN'],
    [['CRAM-MD5', 'LOGIN'], 'LOGIN'],
    [['XOAUTH2', 'CRAM-MD5'], 'CRAM-MD5'],
  ] as const) {
    const { port, used } = await startSmarthost(t, [...announced])
    t.equal((await outcomeOf(port)).said, 'in')
    t.same(used, [wanted], announced.join())
  }
  const peer = await startPeer({ command: (line) => (line.startsWith('AUTH') ? '502 5.5.1 no' : undefined) })
  t.teardown(() => peer.close())
  t.match(await outcomeOf(peer.port), { code: 502 })
  t.match(peer.commands.at(-1), /^AUTH PLAIN /)
})

t.test('CRAM-MD5 answers the octets of the challenge, also those that are no ASCII', async (t) => {
  const challenge = Buffer.from('<1896.6972@pöstoffice.example>')
  const peer = await startPeer({
    extensions: ['AUTH CRAM-MD5'],
    command: (line) => {
      if (line === 'AUTH CRAM-MD5') return `334 ${challenge.toString('base64')}`
      const wanted = `${AUTH.user} ${createHmac('md5', AUTH.password).update(challenge).digest('hex')}`
      if (line === Buffer.from(wanted).toString('base64')) return '235 2.7.0 in'
      return line.startsWith('EHLO') ? undefined : '535 5.7.8 wrong'
    },
  })
  t.teardown(() => peer.close())
  t.equal((await outcomeOf(peer.port)).said, 'in')
})

/** The lines that the client sends, by step; the last one is answered 235 by a server that takes it. */
const STEPS: Record<(typeof MECHANISMS)[number], number> = { PLAIN: 1, LOGIN: 3, 'CRAM-MD5': 2 }
const NONSENSE: readonly Answer[] = [
  '250 ok',
  '220 ready',
  '235 2.7.0 too early',
  '334 one more',
  '354 go ahead',
  'hello',
  '2',
  '334-never ends',
  '221 bye',
  '421 4.3.2 closing',
  '454 4.7.0 not now',
  '535 5.7.8 no',
  'drop',
]

t.test('a server that answers nonsense at any step is not signed in at, and gets nothing more', async (t) => {
  const encoded = (text: string): string => Buffer.from(text).toString('base64')
  for (const mechanism of MECHANISMS) {
    for (let at = 1; at <= STEPS[mechanism]; at++) {
      for (const nonsense of NONSENSE) {
        const isLast = at === STEPS[mechanism]
        // What would be right here.
        if (isLast ? nonsense?.startsWith('235') : nonsense === '334 one more') continue
        let step = 0
        const peer = await startPeer({
          extensions: [`AUTH ${mechanism}`],
          command: (line) => {
            if (line.startsWith('EHLO') || line === 'QUIT') return undefined
            if (++step === at) return nonsense === '334-never ends' ? '334-never ends\r\n334 ends' : nonsense
            return step === STEPS[mechanism] ? '235 2.7.0 in' : `334 ${encoded('Go on:')}`
          },
        })
        const what = `${mechanism}, step ${at}: ${nonsense}`
        const isMultiline = nonsense === '334-never ends' && !isLast
        const { said, code } = await outcomeOf(peer.port)
        if (isMultiline) t.equal(said, 'in', `${what}: several lines of the right code are an answer`)
        else {
          t.not(said, 'in', what)
          t.match(said, /smart\.test/, what)
          const refusal = /^([45]\d\d) /.exec(nonsense ?? '')?.[1]
          if (refusal !== undefined) t.equal(code, Number(refusal), what)
          t.equal(step, at, `${what}: nothing more was said`)
        }
        await peer.close()
      }
    }
  }
})
