/** FETCH of header fields and envelopes alone does not read the rest of large messages. */
import { onServer, type Client } from './server.js'

const BODY = `${'b'.repeat(70)}\r\n`.repeat(2000)
const LARGE = `From: a@b.example\r\nSubject: large\r\n\r\n${BODY}`
const LONG_HEADER = `From: a@b.example\r\n${`X-Filler: ${'x'.repeat(900)}\r\n`.repeat(90)}Subject: at the end\r\n\r\n${BODY}`
const NO_HEADER = `\r\n${BODY}`
const SMALL = 'From: a@b.example\r\nSubject: small\r\n\r\nhello\r\n'

const MESSAGES = [LARGE, LONG_HEADER, NO_HEADER, SMALL]

const headerOf = (message: string): string => message.slice(0, message.indexOf('\r\n\r\n') + 4)

async function append(client: Client, message: string): Promise<void> {
  client.write(`x APPEND INBOX {${message.length}+}\r\n${message}\r\n`)
  await client.until('x')
}

onServer('headers of large messages are read alone, and are the same as in the whole', async (t, w, s) => {
  const whole = t.capture(w.blobs, 'get', w.blobs.get.bind(w.blobs))
  const starts = t.capture(w.blobs, 'head', w.blobs.head.bind(w.blobs))
  const client = await s.signedIn()
  for (const message of MESSAGES) await append(client, message)
  await client.say('EXAMINE INBOX')
  whole()
  const headers = await client.say('FETCH 1:4 (ENVELOPE BODY[HEADER] RFC822.HEADER BODY[HEADER.FIELDS (SUBJECT)])')
  for (const [i, message] of MESSAGES.entries()) {
    const header = message === NO_HEADER ? '\r\n' : headerOf(message)
    t.ok(headers[i]?.includes(`BODY[HEADER] {${header.length}}\r\n${header} RFC822.HEADER {${header.length}}`), `${i}`)
  }
  t.match(headers[1], /ENVELOPE \(NIL "at the end"/)
  // A header longer than what is read at first takes the message.
  t.equal(whole().length, 1)
  t.equal(starts().length, 3)
  const texts = await client.say('FETCH 1:4 (ENVELOPE BODY.PEEK[TEXT])')
  t.equal(whole().length, 3)
  t.equal(starts().length, 0)
  for (const i of [0, 1, 2]) t.ok(texts[i]?.includes(`BODY[TEXT] {${BODY.length}}\r\n${BODY}`), `${i}`)
})
