/** Addresses beyond ASCII in envelopes and searches (RFC 6855 §3, RFC 6532). */
import { onServer } from './server.js'

const MESSAGE =
  'From: =?utf-8?q?Jos=C3=A9?= <josé@example.org>\r\nTo: пример@example.org\r\nSubject: x\r\n\r\nhello\r\n'

/** As the client reads octets. */
const octets = (text: string): string => Buffer.from(text).toString('latin1')

onServer('an envelope has the address as the message has it, with and without UTF8=ACCEPT', async (t, _w, s) => {
  const client = await s.signedIn()
  client.write(`x APPEND INBOX {${Buffer.byteLength(MESSAGE)}+}\r\n${MESSAGE}\r\n`)
  t.match((await client.until('x')).at(-1), /^OK /)
  await client.say('EXAMINE INBOX')
  const shown = [`NIL {5}\r\n${octets('josé')} "example.org")`, `NIL {12}\r\n${octets('пример')} "example.org")`]
  for (const part of shown) t.match((await client.say('FETCH 1 (ENVELOPE)')).join('\n'), part)
  t.match((await client.say('ENABLE UTF8=ACCEPT')).at(-1), /^OK /)
  for (const part of shown) t.match((await client.say('FETCH 1 (ENVELOPE)')).join('\n'), part)
  t.match(await client.say('SEARCH FROM "josé@example.org"'), [/^SEARCH 1$/])
  t.match(await client.say('SEARCH TO "josé@example.org"'), [/^SEARCH$/])
})
