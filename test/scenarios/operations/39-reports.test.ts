/** What others report of our domains, and what we report of theirs: a day's mail at one server becomes a report that another server reads. */
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { HOUR, utcDay } from '../../../src/lib/clock.js'
import { parseMessage } from '../../../src/mime/parse/parse.js'
import { endOfDay } from '../../../src/store/days.js'
import { readReportMail } from '../../../src/reporting/received/read.js'
import { reportParts } from '../../../src/reporting/received/recognise.js'
import type { Reading } from '../../../src/reporting/received/types.js'
import { dmarc, record, reportMail, tls } from '../../reporting/received/forms.js'
import { startDaemon } from '../../support/daemon.js'
import { startDnsServer } from '../../support/peers/dns-server.js'
import { startPeer } from '../../support/peers/peer-server.js'
import { deliver } from '../../support/peers/smtp.js'

const LIMITS = { maxHeaderBytes: 65536, maxParts: 100, maxDepth: 10 }
const SENDS_FROM_HERE = 'v=spf1 ip4:127.0.0.1 -all'

async function reportIn(raw: string): Promise<Reading> {
  const mail = Buffer.from(raw, 'latin1')
  return readReportMail(mail, reportParts(await parseMessage(mail, LIMITS), false), LIMITS)
}

t.test('reports come and go, and are read at the other end', async (t) => {
  const sink = await startPeer()
  const asks = (rua: string) => ({ TXT: [`v=DMARC1; p=quarantine; rua=mailto:${rua}`] })
  const dns = await startDnsServer({
    'peer.test': { TXT: [SENDS_FROM_HERE], MX: [{ priority: 10, exchange: 'mx.peer.test' }] },
    '_dmarc.peer.test': asks('dmarc-reports@peer.test'),
    'asking.test': { TXT: [SENDS_FROM_HERE] },
    '_dmarc.asking.test': asks('r@collector.test'),
    'asking.test._report._dmarc.collector.test': { TXT: ['v=DMARC1; rua=mailto:in@collector.test'] },
    'outside.test': { TXT: [SENDS_FROM_HERE] },
    '_dmarc.outside.test': asks('r@collector.test'),
    'collector.test': { MX: [{ priority: 10, exchange: 'mx.peer.test' }] },
    'mx.peer.test': { A: ['127.0.0.1'] },
    'agents.test': { TXT: [SENDS_FROM_HERE] },
    '_dmarc.agents.test': { TXT: ['v=DMARC1; p=reject; rua=mailto:dmarc-reports@agents.test'] },
  })
  const daemon = await startDaemon({
    'domains.names': 'agents.test,second.test',
    'server.dns': dns.address,
    'relay.port': String(sink.port),
    'relay.allow_private_addresses': 'true',
  })
  const other = await startDaemon({ 'domains.names': 'peer.test', 'server.dns': dns.address })
  t.teardown(async () => {
    await daemon.remove()
    await other.remove()
    await dns.close()
    await sink.close()
  })
  const day = utcDay(Date.now())
  const [begin, end] = [Date.parse(`${day}T00:00:00Z`) / 1000, endOfDay(day) / 1000 - 1]
  const reports = async (of: typeof daemon, ...words: string[]): Promise<unknown> =>
    JSON.parse((await of.cli('reports', ...words, '--json')).stdout)

  /** A report is read a moment after its mail was taken. */
  const readThere = async (of: typeof daemon, count: number): Promise<unknown> => {
    for (;;) {
      const summary = await reports(of)
      if (JSON.stringify(summary).includes(`"reports":${count},"dmarc"`)) return summary
    }
  }

  await t.test('the addresses that every domain has to have take mail', async (t) => {
    t.match(await daemon.cli('reports'), { code: 0, stdout: '', stderr: /No report covers/ })
    for (const domain of ['agents.test', 'second.test']) {
      for (const name of ['postmaster', 'abuse', 'Postmaster', 'dmarc-reports', 'tls-reports'])
        t.match(
          await deliver(daemon.smtpPort, { from: 'bob@nowhere.test', to: [`${name}@${domain}`], text: 'Hello' }),
          /^250/,
        )
    }
  })

  await t.test('what another reports of us is in the summary, and in the doctor', async (t) => {
    const bad = record({ ip: '127.0.0.1', count: 3, dkim: 'fail', spf: 'fail', auth: '' })
    const file = gzipSync(dmarc({ org: 'Peer', begin, end, records: [record(), bad] }))
    const mail = { from: 'noreply@peer.test', to: ['dmarc-reports@agents.test'] }
    t.match(await deliver(daemon.smtpPort, { ...mail, raw: reportMail(file, { from: 'noreply@peer.test' }) }), /^250/)
    const dates = { 'start-datetime': `${day}T00:00:00Z`, 'end-datetime': `${day}T23:59:59Z` }
    const tlsFile = gzipSync(JSON.stringify(tls({ 'date-range': dates })))
    const options = {
      from: 'noreply@peer.test',
      to: 'tls-reports@agents.test',
      type: 'application/tlsrpt+gzip',
      name: 'r.json.gz',
    }
    await deliver(daemon.smtpPort, { ...mail, to: [options.to], raw: reportMail(tlsFile, options) })
    const summary = await readThere(daemon, 2)
    t.match(summary, {
      reports: 2,
      dmarc: [
        {
          domain: 'agents.test',
          reporters: ['peer.test'],
          messages: 5,
          failed: 3,
          sources: [
            { ip: '127.0.0.1', own: true, failed: 3, hint: /it has no signature of agents\.test/ },
            { ip: '192.0.2.1', own: false },
          ],
        },
      ],
      tls: [{ domain: 'agents.test', sessions_failed: 3, failures: [{ type: 'certificate-expired' }] }],
    })
    const { stdout } = await daemon.cli('reports')
    t.match(stdout, /^DMARC of agents\.test: 5 messages, 2 passed, 3 failed/m)
    t.match(stdout, /^127\.0\.0\.1 +this server +3 +0 +3/m)
    t.match(stdout, /^certificate-expired, 3 sessions, at mx\.agents\.test: The certificate had expired/m)
    const list = (await reports(daemon, 'list')) as { id: string; kind: string }[]
    t.same(list.map(({ kind }) => kind).sort(), ['dmarc', 'tls'])
    const id = list.find(({ kind }) => kind === 'dmarc')?.id ?? ''
    t.match(
      (await daemon.cli('reports', 'show', id)).stdout,
      /from peer\.test \(proven by DMARC\), which calls itself Peer/,
    )
    t.match(await daemon.cli('reports', 'show', 'rep_x'), { code: 1, stderr: /There is no report rep_x/ })
    t.match(await daemon.cli('reports', '--days', '0'), { code: 64 })
    t.match(
      (await daemon.cli('doctor', '--json')).stdout,
      /reports were received: 3 messages of agents\.test from our own 127\.0\.0\.1 failed DMARC/,
    )
  })

  await t.test('those whose mail came hear of it the next day, if they ask and may', async (t) => {
    for (const from of ['bob@peer.test', 'bob@peer.test', 'bob@asking.test', 'bob@outside.test'])
      await deliver(daemon.smtpPort, { from, to: ['abuse@agents.test'], text: 'Hello' })
    const forged = 'From: <bob@peer.test>\r\nSubject: forged\r\n\r\nHello\r\n'
    await deliver(daemon.smtpPort, { from: 'x@nowhere.test', to: ['abuse@agents.test'], raw: forged })
    await daemon.end('SIGTERM')
    await daemon.start(endOfDay(day) - Date.now() + 5 * HOUR)
    await sink.count(2)
    t.same(sink.mail.map(({ to }) => to[0]).sort(), ['dmarc-reports@peer.test', 'in@collector.test'])
    const mail = sink.mail.find(({ to }) => to[0] === 'dmarc-reports@peer.test')
    t.match(mail, { from: '' })
    t.match(mail?.raw, /^DKIM-Signature: [\s\S]*d=agents\.test/m)
    t.match(mail?.raw, /^Subject: Report Domain: peer\.test\r\n Submitter: agents\.test\r\n Report-ID: </m)
    t.match(mail?.raw, new RegExp(`filename="agents\\.test!peer\\.test!${begin}!${end}\\.xml\\.gz"`))
    t.match(
      await reportIn(mail?.raw ?? ''),
      {
        kind: 'read',
        report: {
          domain: 'peer.test',
          begin,
          end,
          messages: 3,
          passed: 2,
          quarantined: 1,
          policy: { p: 'quarantine' },
          rows: [
            { source_ip: '127.0.0.1', count: 1, disposition: 'quarantine', spf: 'fail', envelope_from: 'nowhere.test' },
            { source_ip: '127.0.0.1', count: 2, disposition: 'none', dkim: 'fail', spf: 'pass' },
          ],
        },
      },
      'and neither the report that came, nor what went to nobody, is counted',
    )

    await deliver(other.smtpPort, {
      from: 'postmaster@agents.test',
      to: ['dmarc-reports@peer.test'],
      raw: mail?.raw ?? '',
    })
    t.match(await readThere(other, 1), {
      dmarc: [{ domain: 'peer.test', reporters: ['agents.test'], messages: 3, passed: 2, failed: 1 }],
    })
  })
})
