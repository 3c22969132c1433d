/** Our session beside that of smtp-server: ordinary sessions get the same codes, and where they differ the reason stands here. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import t from 'tap'
import { openDialog } from '../support/peers/smtp-dialog.js'
import { startSessionServer } from './session-server.js'

interface Difference {
  /** Our code, and that of smtp-server. */
  ours: string
  theirs: string
  why: string
}

const MAIL = 'MAIL FROM:<carol@peer.test>'
const RCPT = 'RCPT TO:<alice@agents.test>'
const EHLO = 'EHLO client.peer.test'

const SESSIONS: Record<string, string[]> = {
  'one message': [EHLO, MAIL, RCPT, 'DATA', 'Subject: x\r\n\r\n..dot\r\n.', 'QUIT'],
  'two messages, the second from the null sender': [
    EHLO,
    MAIL,
    RCPT,
    'DATA',
    '.',
    'MAIL FROM:<>',
    RCPT,
    'DATA',
    '.',
    'QUIT',
  ],
  HELO: ['HELO client.peer.test', MAIL, RCPT, 'DATA', '.', 'QUIT'],
  'several recipients, one of them twice': [EHLO, MAIL, RCPT, 'RCPT TO:<bob@agents.test>', RCPT, 'DATA', '.', 'QUIT'],
  'the parameters of the extensions': [
    EHLO,
    'MAIL FROM:<carol@peer.test> SIZE=1000 BODY=8BITMIME SMTPUTF8 RET=HDRS ENVID=x1',
    'RCPT TO:<alice@agents.test> NOTIFY=SUCCESS,FAILURE ORCPT=rfc822;alice@agents.test',
    'DATA',
    '.',
  ],
  'RSET and EHLO end a transaction': [
    EHLO,
    MAIL,
    'RSET',
    RCPT,
    MAIL,
    RCPT,
    EHLO,
    'DATA',
    MAIL,
    RCPT,
    'NOOP',
    'DATA',
    '.',
  ],
  order: ['NOOP', MAIL, EHLO, RCPT, 'DATA', MAIL, MAIL, 'DATA', RCPT],
  'too large by its SIZE': [EHLO, 'MAIL FROM:<carol@peer.test> SIZE=100001', MAIL],
  'a recipient too many': [
    EHLO,
    MAIL,
    RCPT,
    'RCPT TO:<b@agents.test>',
    'RCPT TO:<c@agents.test>',
    'RCPT TO:<d@agents.test>',
  ],
  'bad addresses': [
    EHLO,
    'MAIL FROM:<carol@>',
    'MAIL FROM:<@peer.test>',
    'MAIL carol@peer.test',
    MAIL,
    'RCPT TO:<>',
    'RCPT TO:<alice@a..b>',
  ],
  'bad parameters': [
    EHLO,
    'MAIL FROM:<carol@peer.test> SIZE=x',
    'MAIL FROM:<carol@peer.test> BODY=9BIT',
    'MAIL FROM:<carol@peer.test> RET=ALL',
  ],
  'other verbs': [EHLO, 'VRFY alice', 'HELP', 'NOOP x', 'EXPN staff', 'FROBNICATE', 'STARTTLS', 'AUTH PLAIN x'],
  'what ours takes, and theirs not': [EHLO, 'MAIL FROM:carol@peer.test', 'RCPT TO:<al_ice@ag_ents.test>', 'RSET'],
  'what theirs takes, and ours not': [EHLO, 'RSET now', 'EHLO a;b', 'MAIL FROM:<carol@peer.test> X=1', 'NOOP'],
  'a name is needed': ['EHLO', 'HELO', 'EHLO a b'],
}

const NOT_OFFERED = 'a command that is known and not offered is 502 (RFC 5321 §4.2.4); smtp-server knows no difference'
const LENIENT = 'taken as Postfix takes it, since real senders write so'
const STRICT = 'what is not offered or has no meaning is refused, and not passed over'
const DIFFERENCES: Record<string, Difference> = {
  'other verbs: 5 EXPN staff': { ours: '502', theirs: '500', why: NOT_OFFERED },
  'other verbs: 7 STARTTLS': { ours: '502', theirs: '500', why: NOT_OFFERED },
  'other verbs: 8 AUTH PLAIN x': { ours: '502', theirs: '500', why: NOT_OFFERED },
  'what ours takes, and theirs not: 2 MAIL FROM:carol@peer.test': { ours: '250', theirs: '501', why: LENIENT },
  'what ours takes, and theirs not: 3 RCPT TO:<al_ice@ag_ents.test>': { ours: '250', theirs: '501', why: LENIENT },
  'what theirs takes, and ours not: 2 RSET now': { ours: '501', theirs: '250', why: STRICT },
  'what theirs takes, and ours not: 3 EHLO a;b': { ours: '501', theirs: '250', why: STRICT },
  'what theirs takes, and ours not: 4 MAIL FROM:<carol@peer.test> X=1': { ours: '555', theirs: '250', why: STRICT },
}

interface Said {
  step: string
  code: string
}

async function talk(port: number, lines: string[]): Promise<Said[]> {
  const dialog = await openDialog(port)
  const said: Said[] = [{ step: 'greeting', code: (await dialog.reply()).slice(0, 3) }]
  for (const [i, line] of lines.entries()) {
    const name = line.split('\r\n')[0] ?? line
    said.push({ step: `${i + 1} ${name}`, code: (await dialog.say(line)).slice(0, 3) })
  }
  dialog.drop()
  return said
}

t.test('ordinary sessions get the same codes', async (t) => {
  const ours = await startSessionServer()
  const theirs = new SMTPServer({
    size: 100_000,
    maxRecipients: 3,
    hideDSN: false,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    onData: (stream, _session, done) => stream.on('end', () => done()).resume(),
    onRcptTo: ({ address }, { envelope }, done) =>
      envelope.rcptTo.length >= 3 && !envelope.rcptTo.some((other) => other.address === address)
        ? done(Object.assign(new Error('too many'), { responseCode: 452 }))
        : done(),
  })
  theirs.listen(0, '127.0.0.1')
  await once(theirs.server, 'listening')
  t.teardown(async () => {
    theirs.close()
    await ours.close()
  })
  const found: Record<string, { ours: string; theirs: string }> = {}
  for (const [name, lines] of Object.entries(SESSIONS)) {
    const other = await talk((theirs.server.address() as AddressInfo).port, lines)
    for (const [i, { step, code }] of (await talk(ours.port, lines)).entries())
      if (code !== other[i]?.code) found[`${name}: ${step}`] = { ours: code, theirs: other[i]?.code ?? '' }
  }
  const listed = Object.fromEntries(
    Object.entries(DIFFERENCES).map(([step, { ours, theirs }]) => [step, { ours, theirs }]),
  )
  t.same(found, listed)
  t.same(ours.failures, [])
})
