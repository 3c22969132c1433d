/** Whatever comes in: a clear error, nothing half stored, the daemon up. */
import t from 'tap'
import { once } from 'node:events'
import { connect } from 'node:net'
import { approvedAgent, claim, request, solve } from '../../support/agent.js'
import { startDaemon } from '../../support/daemon.js'
import { deliver } from '../../support/peers/smtp.js'

t.test('bad requests are answered with what to do next', async (t) => {
  const daemon = await startDaemon()
  t.teardown(() => daemon.remove())
  const agent = await approvedAgent(daemon, 'bad.agent')
  const other = await approvedAgent(daemon, 'other.agent')
  await deliver(daemon.smtpPort, { to: [other.address], subject: 'private' })
  const foreign = (await other.call('GET', '/v1/threads')).body.data[0]

  const cases: [string, string, unknown, number, string][] = [
    ['POST', '/v1/send', {}, 400, 'invalid_request'],
    ['POST', '/v1/send', { to: 7, subject: 's', text: 't' }, 400, 'invalid_request'],
    ['POST', '/v1/send', { to: 'nonsense', subject: 's', text: 't' }, 400, 'invalid_request'],
    ['POST', '/v1/send', { to: [], subject: 's', text: 't' }, 400, 'invalid_request'],
    ['POST', '/v1/send', { to: 'a@b.example', subject: 's\r\nBcc: x@y.example', text: 't' }, 400, 'invalid_request'],
    ['POST', '/v1/send', { to: 'a@b.example', subject: 's', text: 't', surprise: 1 }, 400, 'invalid_request'],
    [
      'POST',
      '/v1/send',
      { to: Array.from({ length: 2000 }, (_, i) => `a${i}@b.example`), subject: 's', text: 't' },
      400,
      'invalid_request',
    ],
    [
      'POST',
      '/v1/send',
      { to: 'a@b.example', subject: 's', text: 't', attachments: [{ filename: 'a', content: '%%%' }] },
      400,
      'invalid_request',
    ],
    ['GET', '/v1/threads?limit=1000', undefined, 400, 'invalid_request'],
    ['GET', '/v1/threads?cursor=nonsense', undefined, 400, 'invalid_request'],
    ['GET', '/v1/threads?nope=1', undefined, 400, 'invalid_request'],
    ['GET', '/v1/events?after=-1', undefined, 400, 'invalid_request'],
    ['GET', '/v1/events?wait=61', undefined, 400, 'invalid_request'],
    ['GET', `/v1/threads/${foreign.id}`, undefined, 404, 'not_found'],
    ['GET', `/v1/messages/${foreign.last_message_id}`, undefined, 404, 'not_found'],
    ['GET', `/v1/messages/${foreign.last_message_id}/raw`, undefined, 404, 'not_found'],
    ['PATCH', `/v1/messages/${foreign.last_message_id}`, { unread: false }, 404, 'not_found'],
    ['POST', `/v1/messages/${foreign.last_message_id}/reply`, { text: 'x' }, 404, 'not_found'],
    ['POST', `/v1/messages/${foreign.last_message_id}/forward`, { to: 'a@b.example' }, 404, 'not_found'],
    ['GET', '/v1/messages/..%2f..%2fetc', undefined, 404, 'not_found'],
    ['GET', '/v1/nothing', undefined, 404, 'not_found'],
    ['DELETE', '/v1/threads', undefined, 405, 'method_not_allowed'],
  ]
  for (const [method, path, body, status, code] of cases) {
    const answer = await agent.call(method, path, body)
    t.equal(answer.status, status, `${method} ${path} ${JSON.stringify(body)?.slice(0, 80) ?? ''}`)
    t.equal(answer.body.error?.code, code)
    t.ok(answer.body.error?.message && answer.body.error?.hint)
    t.ok(answer.headers.get('x-request-id'))
  }
  const authorization = `Bearer ${agent.key}`
  const post = (body: string | Buffer, type = 'application/json') =>
    fetch(`${daemon.url}/v1/send`, { method: 'POST', headers: { authorization, 'content-type': type }, body })
  t.equal((await post('{"to":')).status, 400)
  t.equal((await post(Buffer.from([0x7b, 0xff, 0xfe, 0x7d]))).status, 400)
  t.equal((await post('[]')).status, 400)
  t.equal((await post('x', 'text/plain')).status, 415)
  t.equal((await post(Buffer.alloc(40_000_000, 0x20)).catch(() => ({ status: 413 }))).status, 413)
  t.equal((await post('['.repeat(100_000))).status, 400)
  t.same((await agent.call('GET', '/v1/threads')).body.data, [], 'nothing was stored')
  t.equal((await fetch(`${daemon.url}/healthz`)).status, 200)
})

t.test('bad claims each have an error of their own, and spend the challenge', async (t) => {
  const daemon = await startDaemon()
  t.teardown(() => daemon.remove())
  await claim(daemon, 'taken.agent')
  const fresh = async () => (await request(`${daemon.url}/v1/claim/challenge`, 'GET')).body
  async function tries(name: string, change: (nonce: string) => string = (nonce) => nonce) {
    const { challenge, difficulty } = await fresh()
    const nonce = change(solve(challenge, difficulty))
    const answer = await request(`${daemon.url}/v1/claim`, 'POST', { name, challenge, nonce })
    return { answer, challenge, nonce }
  }
  t.match((await tries('taken.agent')).answer, { status: 409, body: { error: { code: 'name_taken' } } })
  t.match((await tries('postmaster')).answer, { status: 409, body: { error: { code: 'name_reserved' } } })
  const names = ['abc', 'x'.repeat(33), '.dots', 'dots.', 'UPPER', 'a..bcd', 'ünïcode', 'white space', 'a@b.c.d']
  for (const name of names)
    t.match((await tries(name)).answer, { status: 400, body: { error: { code: 'invalid_request' } } }, name)
  const wrong = await tries('wrong.proof', () => '0')
  if (wrong.nonce !== '0' || wrong.answer.status !== 201) {
    t.match(wrong.answer, { status: 400, body: { error: { code: 'proof_invalid' } } })
  }
  const used = await tries('first.agent')
  t.equal(used.answer.status, 201)
  const again = await request(`${daemon.url}/v1/claim`, 'POST', {
    name: 'second.agent',
    challenge: used.challenge,
    nonce: used.nonce,
  })
  t.match(again, { status: 409, body: { error: { code: 'challenge_used' } } })
  const forged = await request(`${daemon.url}/v1/claim`, 'POST', {
    name: 'forged.agent',
    challenge: 'AAAA',
    nonce: '1',
  })
  t.equal(forged.status, 400)
})

async function dialog(port: number, lines: (string | Buffer)[]): Promise<string[]> {
  const socket = connect(port, '127.0.0.1')
  const replies: string[] = []
  let buffered = ''
  async function next(): Promise<string> {
    for (;;) {
      const match = /^(?:\d{3}-.*\r\n)*\d{3} .*\r\n/.exec(buffered)
      if (match) {
        buffered = buffered.slice(match[0].length)
        return match[0].trim()
      }
      const [chunk] = await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => ['421 closed\r\n'])])
      buffered += String(chunk)
    }
  }
  replies.push(await next())
  for (const line of lines) {
    socket.write(typeof line === 'string' ? `${line}\r\n` : line)
    replies.push(await next())
  }
  socket.destroy()
  return replies.slice(1)
}

t.test('bad SMTP is refused with an enhanced status, and stores nothing', async (t) => {
  const daemon = await startDaemon()
  t.teardown(() => daemon.remove())
  const agent = await approvedAgent(daemon, 'bad.agent')
  const envelope = ['EHLO peer.test', 'MAIL FROM:<bob@peer.test>', `RCPT TO:<${agent.address}>`]
  const data = (body: string) => [...envelope, 'DATA', Buffer.from(`${body}\r\n.\r\n`, 'latin1')]
  const last = async (lines: (string | Buffer)[]) => (await dialog(daemon.smtpPort, lines)).at(-1) ?? ''

  t.match(await last(['NONSENSE']), /^5\d\d 5\./)
  t.match(await last(['EHLO peer.test', 'RCPT TO:<x@y.test>']), /^503/)
  t.match(await last([...envelope, 'VRFY root']), /^25[02]/)
  t.match(await last(['EHLO peer.test', 'MAIL FROM:<not an address>']), /^5\d\d/)
  t.match(await last(['EHLO peer.test', 'AUTH PLAIN AGEAYg==']), /^5\d\d/)
  t.match(await last(data('Subject: bare\n\nline feed')), /^550 5\.6\.0/)
  t.match(await last(data('Subject: bare\r\n\r\ncarriage\rreturn')), /^550 5\.6\.0/)
  t.match(await last(data('Subject: nul\r\n\r\n\u0000')), /^550 5\.6\.0/)
  t.match(await last(data(`Subject: long\r\n\r\n${'x'.repeat(2000)}`)), /^550 5\.6\.0/)
  t.match(await last(data(`${'X-Big: y\r\n'.repeat(30_000)}\r\nbody`)), /^550 5\.6\.0/)
  t.match(await last(data(`${'Received: from a by b; now\r\n'.repeat(51)}\r\nbody`)), /^554 5\.4\.6/)
  const many = Array.from({ length: 2000 }, (_, i) => `RCPT TO:<bad.agent+${i}@agents.test>`)
  const replies = await dialog(daemon.smtpPort, ['EHLO peer.test', 'MAIL FROM:<bob@peer.test>', ...many])
  t.ok(replies.some((reply) => /^452 4\.5\.3/.test(reply)))
  t.same((await agent.call('GET', '/v1/threads')).body.data, [])

  const broken = 'Content-Type: multipart/mixed; boundary="never"\r\n\r\nno part at all'
  t.match(await last(data(`From: bob@peer.test\r\nSubject: broken\r\n${broken}`)), /^250 2\.0\.0/)
  let nested = 'Content-Type: text/plain\r\n\r\ndeep'
  for (let i = 0; i < 300; i++) {
    nested = `Content-Type: multipart/mixed; boundary="b${i}"\r\n\r\n--b${i}\r\n${nested}\r\n--b${i}--`
  }
  t.match(await last(data(`From: bob@peer.test\r\nSubject: nested\r\n${nested}`)), /^(250 2|550 5\.6)\./)
  t.equal((await fetch(`${daemon.url}/healthz`)).status, 200)
})

t.test('SIGTERM finishes what was accepted and ends with 0', async (t) => {
  const daemon = await startDaemon()
  t.teardown(() => daemon.remove())
  const agent = await approvedAgent(daemon, 'stop.agent')
  const waiting = agent.call('GET', '/v1/events?types=claim.declined&wait=30')
  await agent.call('GET', '/v1/threads')
  const code = await daemon.end('SIGTERM')
  t.equal(code, 0, daemon.output().slice(-2000))
  t.match(await waiting, { status: 200, body: { data: [] } })
})
