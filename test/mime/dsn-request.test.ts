/** What is asked of delivery notices, as it is given, stored and passed on. */
import t from 'tap'
import { packBody, unpackBody } from '../../src/mailbox/body-row.js'
import { contentOf } from '../../src/mailbox/message.js'
import { composeSenderNotice } from '../../src/mime/compose/sender-notice.js'
import { dsnRequestOf, encodeXtext, typedRecipient, wishesFor, type AskedDsn } from '../../src/mime/dsn-request.js'
import { parseMessage } from '../../src/mime/parse/parse.js'
import { parseRcptParameters } from '../../src/smtp/parameters.js'

const RAW = Buffer.from('From: ada@agents.test\r\nSubject: Hello\r\n\r\nGood morning.\r\n')
const TO = ['bob@peer.test', 'eve@peer.test', 'ida@peer.test']

const rowOf = async (asked: AskedDsn | undefined): Promise<Uint8Array> => {
  const parsed = await parseMessage(RAW, { maxHeaderBytes: 65536, maxParts: 100, maxDepth: 10 })
  const dsn = dsnRequestOf(asked, TO)
  return packBody({ ...contentOf(parsed, 0), ...(dsn && { dsn }) }, null, RAW)
}

t.test('it is stored small, and nothing is stored for nothing', async (t) => {
  const nothing = { ret: undefined, envelopeId: undefined, recipients: TO.map((address) => ({ address })) }
  const plain = await rowOf(undefined)
  t.equal(dsnRequestOf(nothing, TO), undefined)
  t.equal((await rowOf(nothing)).length, plain.length)
  t.notOk('dsn' in unpackBody(plain).content)

  const asked: AskedDsn = {
    ret: 'HDRS',
    envelopeId: 'x y',
    recipients: [
      { address: 'BOB@peer.test', notify: ['SUCCESS', 'DELAY'], original: 'rfc822;bob@peer.test' },
      { address: 'ida@peer.test', notify: ['NEVER'], original: 'rfc822;Ida@list.test' },
      { address: 'nobody@peer.test', notify: ['FAILURE'] },
    ],
  }
  const row = await rowOf(asked)
  t.ok(row.length - plain.length <= 45, `${row.length - plain.length} bytes`)
  const { dsn } = unpackBody(row).content
  t.match(dsn, { ret: 'HDRS', envelopeId: 'x y' })
  t.same(
    TO.map((address, place) => wishesFor(dsn, place, address)),
    [
      { notify: ['SUCCESS', 'DELAY'], original: 'rfc822;bob@peer.test' },
      { notify: undefined, original: undefined },
      { notify: ['NEVER'], original: 'rfc822;Ida@list.test' },
    ],
  )
})

t.test('a recipient beyond ASCII is named in ASCII, by its own type', async (t) => {
  const to = ['josé+x@peer.test', '例@peer.test']
  const own = 'utf-8;jos\\x{E9}\\x{2B}x@peer.test'
  t.same(typedRecipient('bob+x@peer.test'), { type: 'rfc822', address: 'bob+x@peer.test' })
  t.same(typedRecipient('例@peer.test'), { type: 'utf-8', address: '\\x{4F8B}@peer.test' })
  const asked: AskedDsn = {
    ret: undefined,
    envelopeId: undefined,
    recipients: [{ address: 'JOSÉ+x@peer.test', original: own }],
  }
  const dsn = dsnRequestOf(asked, to)
  t.match(dsn, { recipients: [{ place: 0, isOwn: true }] })
  t.equal(wishesFor(dsn, 0, to[0] ?? '').original, own)
  t.equal(encodeXtext(own), own, 'xtext leaves it as it is')
})

t.test('ORCPT beyond ASCII is read in both its forms', async (t) => {
  const offer = { maxMessageBytes: 1000, dsn: true, secure: true, startTls: false }
  const read = (given: string) => parseRcptParameters(` ORCPT=${given}`, offer)
  const value = { orcpt: 'utf-8;jos\\x{E9}@peer.test' }
  t.match(read('utf-8;jos\\x{E9}@peer.test'), { kind: 'parameters', value })
  t.match(read('UTF-8;josé@peer.test'), { kind: 'parameters', value })
  t.match(read('rfc822;josé@peer.test'), { kind: 'refused', reply: { code: 501 } })
  t.match(read(`utf-8;${'é'.repeat(100)}@peer.test`), { kind: 'refused' }, 'too long when it is written in ASCII')
})

t.test('a notice names a recipient beyond ASCII for programs and for people', async (t) => {
  const notice = {
    to: 'carol@peer.test',
    messageId: null,
    recipients: [{ address: 'josé@peer.test', action: 'failed' as const, smtpCode: null, detail: '5.6.7 no SMTPUTF8' }],
    raw: RAW,
    acceptedAt: 0,
    retryUntil: null,
    tried: '',
  }
  const sender = { hostname: 'mx.test', address: 'postmaster@test', now: 0 }
  const raw = composeSenderNotice(notice, sender)
  t.match(raw.toString(), 'Final-Recipient: utf-8; jos\\x{E9}@peer.test\r\nAction: failed\r\nStatus: 5.6.7\r\n')
  t.match(raw.toString(), /^[\x00-\x7f]*$/, 'it passes every server')
  const { text, report } = await parseMessage(raw, { maxHeaderBytes: 65536, maxParts: 100, maxDepth: 10 })
  t.match(text, '<josé@peer.test>')
  t.match(report, { recipients: [{ address: 'josé@peer.test', status: '5.6.7' }] })
})

t.test('xtext', async (t) => {
  t.equal(encodeXtext('a+b=c d~!'), 'a+2Bb+3Dc+20d~!')
})
