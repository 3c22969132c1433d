/** What is asked of delivery notices, as it is given, stored and passed on. */
import t from 'tap'
import { packBody, unpackBody } from '../../src/mailbox/body-row.js'
import { contentOf } from '../../src/mailbox/message.js'
import { dsnRequestOf, encodeXtext, wishesFor, type AskedDsn } from '../../src/mime/dsn-request.js'
import { parseMessage } from '../../src/mime/parse/parse.js'

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

t.test('xtext', async (t) => {
  t.equal(encodeXtext('a+b=c d~!'), 'a+2Bb+3Dc+20d~!')
})
