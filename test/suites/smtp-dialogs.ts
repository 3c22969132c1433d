/**
 * The dialogs of chasquid, and the inputs its fuzzer kept. A case is a reply that a dialog expects: the codes count, since the words are each
 * server's own (RFC 5321 §4.2). Of the fuzzer's inputs each is one case: the session ends, and the server answers the next one.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { startReceiver, type Receiver } from '../mx/receiver.js'
import { openDialog } from '../support/peers/smtp-dialog.js'
import { readCmy, replay } from '../support/peers/transcript.js'
import type { Difference, Suite, SuiteRun } from './suite.js'

const SUBMISSION =
  'AUTH on a separate TLS port is submission; agents submit mail over HTTP, and an MX has no AUTH (RFC 5321 §4.1.1, RFC 6409 §3.1)'
const MALFORMED =
  'malformed data is refused with 550 5.6.0 at its end and the session goes on; chasquid ends it with 521. Neither starts a second message'
const HTTP = 'we reply 421 to an HTTP request and close the connection; chasquid replies 502 and closes it'

export const smtpDialogsSuite: Suite = {
  folder: 'smtp-chasquid-dialogs',
  title: 'SMTP dialogs',
  rule: 'RFC 5321',
  size: 59,
  explanations: {
    'auth_multi_dialog:2': SUBMISSION,
    'auth_too_many_failures:2': SUBMISSION,
    'bad_data_dot:28': MALFORMED,
    'bad_data_dot_on_message_too_big:36':
      'the message was too large before its line ends were wrong: 552 5.3.4. No second message is started',
    'bad_rcpt_to:11':
      'RCPT is recognized, its argument is not: 501 is for that and 500 for a command that is not recognized (RFC 5321 §4.2.2)',
    'bad_rcpt_to:14': 'the same: RCPT TO: without an address',
    'bad_rcpt_to:41': 'a non-ASCII address after HELO: 553 5.6.7 (RFC 6531 §3.5) comes before other errors',
    'line_too_long:5':
      'command lines may have 2048 octets here; this one is refused with 501 for a host name over 255 octets',
    'wrong_proto:5': HTTP,
    'wrong_proto:10': HTTP,
    'wrong_proto:15': HTTP,
  },
  async run(dir) {
    const dialogs = await runDialogs(dir)
    const inputs = await runInputs(dir)
    return { total: dialogs.total + inputs.total, differences: [...dialogs.differences, ...inputs.differences] }
  },
}

function filesOf(folder: string): string[] {
  return readdirSync(folder)
    .sort()
    .map((name) => join(folder, name))
}

function receiver(): Promise<Receiver> {
  return startReceiver({
    primaryDomain: 'testserver',
    isLocalDomain: (domain) => domain === 'testserver',
    // That of the suite's server.
    limits: {
      maxMessageBytes: 1024 * 1024,
      maxRecipients: 100,
      maxConnections: 20,
      maxConnectionsPerAddress: 10,
      maxReceived: 50,
    },
  })
}

async function runDialogs(dir: string): Promise<SuiteRun> {
  const differences: Difference[] = []
  let total = 0
  for (const file of filesOf(join(dir, 'test/t-12-minor_dialogs')).filter((name) => name.endsWith('.cmy'))) {
    const mx = await receiver()
    mx.world.names.set('user', 'mbx_user')
    const delivered = (): Buffer[] => mx.world.delivered.map(({ raw }) => raw)
    const { checks, mismatches } = await replay(readCmy(readFileSync(file, 'utf8')), { port: mx.port, delivered })
    await mx.close()
    total += checks
    for (const { line, wanted, got } of mismatches) {
      differences.push({ case: `${basename(file, '.cmy')}:${line}`, wanted, got: got.split('\n').at(-1) ?? '' })
    }
  }
  return { total, differences }
}

async function runInputs(dir: string): Promise<SuiteRun> {
  const differences: Difference[] = []
  const files = filesOf(join(dir, 'internal/smtpsrv/testdata/fuzz/FuzzConnection'))
  const mx = await receiver()
  for (const file of files) {
    const text = /^\[\]byte\((".*")\)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? '""'
    const bytes = Buffer.from(String(JSON.parse(text.replace(/\\x([0-9a-f]{2})/g, '\\u00$1'))))
    for (const input of [bytes, Buffer.from(bytes.toString('latin1').replaceAll('\n', '\r\n'), 'latin1')]) {
      const dialog = await openDialog(mx.port)
      await dialog.reply()
      dialog.write(input)
      dialog.write('\r\n.\r\nQUIT\r\n')
      await dialog.closed
    }
    const next = await openDialog(mx.port)
    const greeting = await next.reply()
    next.drop()
    if (!greeting.startsWith('220 ')) differences.push({ case: basename(file), wanted: '220', got: greeting })
  }
  await mx.close()
  return { total: files.length, differences }
}
