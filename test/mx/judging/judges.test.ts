/** Judging in threads: the same verdicts as in one's own, and an end to whatever a thread can't cope with. */
import { pathToFileURL } from 'node:url'
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { DEFAULT_LINES } from '../../../src/guard/verdict/spam.js'
import { collectGarbage } from '../../../src/lib/memory/garbage.js'
import { sharedPagesOf } from '../../../src/lib/memory/pages.js'
import { UNKNOWN_NAME } from '../../../src/mx/client.js'
import { startJudges, type JudgesDeps } from '../../../src/mx/judging/judges.js'
import { documentOf, qrPng } from '../../mime/documents/made.js'
import { startDnsServer } from '../../support/peers/dns-server.js'
import { captureLog } from '../../support/log.js'

const REAL = pathToFileURL('dist/mx/judging/judge-worker.js')
const ODD = pathToFileURL('test/mx/workers/odd-judge.mjs')

const from = {
  ip: '127.0.0.1',
  helo: 'mx.peer.test',
  mailFrom: 'bob@peer.test',
  client: { ...UNKNOWN_NAME, helo: 'unknown' as const, listed: [] },
}
const message = (text: string): Buffer =>
  Buffer.from(`From: bob@peer.test\r\nTo: a@agents.test\r\nSubject: hello\r\n\r\n${text}`)

function messageWith(filename: string, type: string, content: Buffer): Buffer {
  const fields = `Content-Type: ${type}\r\nContent-Disposition: attachment; filename=${filename}\r\nContent-Transfer-Encoding: base64`
  const parts = `--b\r\n\r\nHello, see the file.\r\n--b\r\n${fields}\r\n\r\n${content.toString('base64').replace(/.{76}/g, '$&\r\n')}\r\n--b--\r\n`
  const head = 'From: bob@peer.test\r\nTo: a@agents.test\r\nSubject: hello\r\nMIME-Version: 1.0'
  return Buffer.from(`${head}\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${parts}`)
}

async function judges(t: Test, change: Partial<JudgesDeps> = {}) {
  const { log, lines } = captureLog()
  const dns = await startDnsServer({ 'peer.test': { TXT: ['v=spf1 ip4:127.0.0.1 -all'] } })
  t.teardown(() => dns.close())
  const pool = await startJudges({
    count: 2,
    options: {
      dnsServers: [dns.address],
      authservId: 'mx.test',
      parseLimits: { maxHeaderBytes: 8192, maxParts: 100, maxDepth: 10 },
      spamLines: DEFAULT_LINES,
    },
    worker: REAL,
    log,
    ...change,
  })
  t.teardown(() => pool.close())
  return { ...pool, lines }
}

t.test('a message is read, authenticated and scored', async (t) => {
  const { judge } = await judges(t)
  const all = await Promise.all([1, 2, 3].map((n) => judge({ raw: message(`number ${n}\r\n`), ...from })))
  t.match(
    all,
    [1, 2, 3].map((n) => ({
      kind: 'judged',
      parsed: { subject: 'hello', text: `number ${n}\n`, fromCount: 1 },
      verification: { results: { spf: { result: 'pass', domain: 'peer.test' } }, header: /spf=pass/ },
      spam: { verdict: 'ham' },
    })),
  )
  const tooDeep = message('x')
    .toString()
    .replace('\r\n\r\n', `\r\nX: ${'x'.repeat(9000)}\r\n\r\n`)
  t.match(await judge({ raw: Buffer.from(tooDeep), ...from }), { kind: 'malformed', problem: /header/ })
})

t.test('PDFs and pictures are read beside it, and count for the score', async (t) => {
  const { judge } = await judges(t)
  const link = 'https://paypa1-login.example/'
  const lines = ['Your account has been limited. Verify your account and your password now.']
  const raw = messageWith('notice.pdf', 'application/pdf', documentOf({ lines, links: [link] }))
  const judged = await judge({ raw, ...from })
  t.match(judged, {
    parsed: { attachments: [{ file: { kind: 'pdf', text: /^Your account/, links: [link] } }] },
    spam: { verdict: 'spam' },
  })
  const codes = judged.kind === 'judged' ? judged.spam.reasons.map(({ code }) => code) : []
  t.ok(codes.includes('lookalike_host') && codes.includes('account_threat'), codes.join())
  t.match(await judge({ raw: messageWith('c.png', 'image/png', qrPng(link)), ...from }), {
    parsed: { attachments: [{ file: { codes: [link] } }] },
  })
  const broken = messageWith('notice.pdf', 'application/pdf', Buffer.from('%PDF-1.7 nothing else'))
  t.match(await judge({ raw: broken, ...from }), {
    parsed: { attachments: [{ file: { signs: [{ code: 'not_read' }] } }] },
    spam: { verdict: 'ham' },
  })
})

t.test('a thread lets go of the memory of judged messages when asked', async (t) => {
  const { judge, collect } = await judges(t, { count: 1 })
  const residentMib = (): number =>
    Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024
  const judgeLarge = async (): Promise<unknown> => {
    const memory = sharedPagesOf(64 * 1024 * 1024).fill(1)
    const length = message('x').copy(memory)
    return judge({ raw: memory.subarray(0, length), ...from })
  }
  t.match(await judgeLarge(), { kind: 'judged' })
  const held = residentMib()
  for (let tries = 0; tries < 100 && held - residentMib() < 40; tries++) {
    collect()
    collectGarbage()
    await wait(20)
  }
  t.ok(held - residentMib() >= 40, `${(held - residentMib()).toFixed(0)} of 64 MiB were given back`)
})

t.test('a text of megabytes comes back no longer than it is stored, and known to be cut', async (t) => {
  const { judge } = await judges(t, { count: 1 })
  const judgement = await judge({ raw: message('All work and no play.\r\n'.repeat(100_000)), ...from })
  t.equal(judgement.kind === 'judged' && judgement.parsed.text.length, 256 * 1024 + 1)
})

t.test('a thread that dies fails its messages and is replaced', async (t) => {
  const { judge, lines } = await judges(t, { count: 1, worker: ODD })
  const waiting = judge({ raw: message('wait'), ...from })
  const dying = judge({ raw: message('die'), ...from })
  await t.rejects(waiting, { message: 'the thread that judged the message ended' })
  await t.rejects(dying, { message: 'the thread that judged the message ended' })
  t.match(lines.at(-1), { level: 'error', err: { message: 'dying' } })
  t.match(await judge({ raw: message('fine'), ...from }), { kind: 'malformed', problem: 'fine' })
})

t.test('a thread that hangs is ended; one that only waits is not', async (t) => {
  const { judge, lines } = await judges(t, { count: 1, worker: ODD, doubtMs: 20, pongMs: 2000 })
  const late = judge({ raw: message('late'), ...from })
  t.match(await late, { kind: 'malformed', problem: 'late' }, 'it answered the ping, and then the question')
  await t.rejects(judge({ raw: message('hang'), ...from }), { message: 'the thread that judged the message ended' })
  t.match(lines.at(-1), { level: 'error', msg: 'a judging thread does not answer and is replaced' })
  t.match(await judge({ raw: message('fine'), ...from }), { problem: 'fine' })
})

t.test('a fault of ours is told with its cause, and nothing is taken after the end', async (t) => {
  const { judge, close } = await judges(t, { worker: ODD })
  await t.rejects(judge({ raw: message('fail'), ...from }), { message: 'as asked' })
  await close()
  await t.rejects(judge({ raw: message('fine'), ...from }), { message: 'the judging threads have ended' })
})

t.test('a thread that cannot start is told of at once', async (t) => {
  await t.rejects(judges(t, { worker: pathToFileURL('test/mx/workers/none.mjs') }), /Cannot find module/)
})
