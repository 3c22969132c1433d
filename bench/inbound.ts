/**
 * Messages accepted a second: signed 4 KB messages over 50 kept-open connections, with SPF, DKIM and DMARC checked, parsed, threaded and
 * durably stored; beside Postfix taking the same mail from the same generator with no check at all and throwing it away.
 */
import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { approvedAgent } from '../test/support/agent.js'
import { run, startDaemon } from '../test/support/daemon.js'
import { startDnsServer } from '../test/support/peers/dns-server.js'
import { startPostfix } from '../test/support/peers/postfix.js'
import { messagesOf, roundsOf } from './support/length.js'
import { median, table, type Row } from './support/table.js'

const CONNECTIONS = 50
const MESSAGES = messagesOf(5000, 300)
const ROUNDS = roundsOf(3)

/** One run of Postfix's own load generator; messages a second. */
async function pour(port: number, to: string, file: string, messages: number): Promise<number> {
  const begun = performance.now()
  const words = ['-d', '-s', String(CONNECTIONS), '-m', String(messages), '-F', file, '-f', 'bob@peer.test', '-t', to]
  const result = await run('/usr/sbin/smtp-source', [...words, `inet:127.0.0.1:${port}`])
  if (result.code !== 0) throw new Error(result.stderr)
  return messages / ((performance.now() - begun) / 1000)
}

async function signedMessage(dir: string, to: string): Promise<{ file: string; record: string }> {
  const key = join(dir, 'key.pem')
  execFileSync('openssl', ['genrsa', '-out', key, '2048'], { stdio: 'ignore' })
  const pub = execFileSync('openssl', ['rsa', '-in', key, '-pubout'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  }).toString()
  const line = 'A line of ordinary words as they stand in ordinary mail, nothing more than that.\r\n'
  const plain = [
    'From: Bob <bob@peer.test>',
    `To: ${to}`,
    'Subject: bench',
    'Date: Sat, 21 Nov 2026 10:00:00 +0000',
    'Message-ID: <bench@peer.test>',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    '',
    line.repeat(44),
  ].join('\r\n')
  const [source, file] = [join(dir, 'plain.eml'), join(dir, 'signed.eml')]
  await writeFile(source, plain)
  const signed = await run('/usr/bin/dkimsign', ['sel', 'peer.test', key], await readFile(source))
  // smtp-source reads lines and writes CRLF itself.
  await writeFile(file, signed.stdout.replace(/\r\n/g, '\n'))
  return { file, record: `v=DKIM1; k=rsa; p=${pub.replace(/-----[^-]+-----|\s/g, '')}` }
}

export async function inbound(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'restante-bench-'))
  const dns = await startDnsServer({
    'peer.test': { TXT: ['v=spf1 ip4:127.0.0.1 -all'] },
    '_dmarc.peer.test': { TXT: ['v=DMARC1; p=reject'] },
  })
  const postfix = await startPostfix('agents.test', [
    'virtual_transport = discard:',
    'smtpd_client_connection_count_limit = 0',
  ])
  const daemon = await startDaemon({ 'server.dns': dns.address, 'smtp.max_connections_per_address': '200' })
  try {
    const agent = await approvedAgent(daemon, 'bench.agent')
    const { file, record } = await signedMessage(dir, agent.address)
    dns.set('sel._domainkey.peer.test', 'TXT', [record])
    await pour(daemon.smtpPort, agent.address, file, 500)
    await pour(postfix.port, agent.address, file, 500)
    const thread = (await agent.call('GET', '/v1/threads?limit=1')).body.data[0]
    const message = (await agent.call('GET', `/v1/messages/${thread.last_message_id}`)).body
    if (message.auth.dkim !== 'pass' || message.auth.dmarc !== 'pass') throw new Error(JSON.stringify(message.auth))

    const ours: number[] = []
    const theirs: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(await pour(daemon.smtpPort, agent.address, file, MESSAGES))
      theirs.push(await pour(postfix.port, agent.address, file, MESSAGES))
    }
    const stored = (await agent.call('GET', '/v1/account/usage')).body.messages.received
    if (stored !== 500 + ROUNDS * MESSAGES) throw new Error(`${stored} messages stored`)
    const rows: Row[] = [
      {
        what: `messages/s, one mailbox, ${CONNECTIONS} connections, 4 KB, DKIM verified, all stored`,
        value: median(ours).toFixed(0),
        beside: `Postfix, no check, discarded: ${median(theirs).toFixed(0)}`,
        ratio: (median(ours) / median(theirs)).toFixed(2),
      },
    ]
    return table(`Mail in (median of ${ROUNDS} rounds of ${MESSAGES})`, rows)
  } finally {
    await daemon.remove()
    await postfix.stop()
    await dns.close()
    await rm(dir, { recursive: true, force: true })
  }
}
