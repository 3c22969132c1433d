/** What a program sends for approval: the human decides on its own octets, which go as they are unless the human changes something. */
import { eventsOf, onEveryEngine, present, waiting, type World } from '../world.js'
import { blobsOfMailbox } from '../../../src/ops/backup/blob-refs.js'
import type { DraftChange } from '../../../src/mailbox/drafts/change.js'
import { draftKey, mailboxPartition } from '../../../src/mailbox/keys.js'
import type { SendOptions } from '../../../src/mailbox/sending/requests.js'
import type { AskedDsn } from '../../../src/mime/dsn-request.js'
import { prefixRange } from '../../../src/store/keys.js'

const BY = { type: 'key', id: 'key_1', requiresApproval: true } as const
const ASKS: Pick<SendOptions, 'by'> = { by: BY }
const RECEIVED = 'Received: by mx.agents.test with ESMTPSA'

const signedMail = (text: string): Buffer =>
  Buffer.from(
    [
      'From: Agent <agent@agents.example>',
      'To: Ada <ada@example.org>, far@example.org',
      'Subject: =?utf-8?q?Sign=65d?=',
      'Message-ID: <signed@agents.example>',
      'Date: Thu, 01 Jan 2026 00:00:00 +0000',
      'X-Mailer: Some program',
      'Disposition-Notification-To: agent@agents.example',
      'MIME-Version: 1.0',
      'Content-Type: multipart/signed; micalg=pgp-sha256; protocol="application/pgp-signature"; boundary=s',
      '',
      'This is a signed message.',
      '--s',
      'Content-Type: text/plain',
      '',
      text,
      '--s',
      'Content-Type: application/pgp-signature; name=signature.asc',
      '',
      '-----BEGIN PGP SIGNATURE-----',
      '--s--',
      '',
    ].join('\r\n'),
  )

const submit = async (
  { mailboxes, id }: World,
  raw: Buffer,
  recipients = ['ada@example.org', 'secret@example.org'],
  dsn?: AskedDsn,
) => waiting(await mailboxes.sending.submit(id, { raw, recipients, dsn, received: () => RECEIVED }, ASKS))

const filesLeft = async (w: World): Promise<number> => {
  const rows = await w.store.read(mailboxPartition(w.id), (view) => view.range(prefixRange('draft-file')))
  let blobs = 0
  for await (const _ of blobsOfMailbox(w.store, w.id)) blobs++
  return rows.length + blobs
}

const rawOf = async ({ mailboxes, id }: World, messageId: string): Promise<string> =>
  (await mailboxes.reading.raw(id, messageId)).toString()

onEveryEngine('a message of a program goes octet for octet once it is approved', async (t, w) => {
  const { deciding, drafts, folders, reading } = w.mailboxes
  const raw = signedMail('Ten?')
  const asked = await submit(w, raw)
  const whole = `${RECEIVED}\r\n${raw.toString()}`
  t.match(await drafts.get(w.id, asked.id), {
    to: [{ address: 'ada@example.org' }],
    bcc: [{ address: 'secret@example.org' }],
    subject: 'Signed',
    attachments: [{ filename: 'signature.asc' }],
  })
  t.equal((await folders.draftRaw(w.id, asked.id)).toString(), whole, 'programs see it so among the drafts')
  const shown = await deciding.shown(w.id, asked.id)
  const { content } = await deciding.file(w.id, asked.id, present(shown.submitted).id)
  t.equal(content.toString(), whole, 'and the human in whole')
  w.clock.advance(3_600_000)
  const sent = await deciding.approve(w.id, asked.id, { form: shown.form })
  t.equal(await rawOf(w, sent.id), whole)
  const message = await reading.message(w.id, sent.id)
  t.match(message, { subject: 'Signed', bcc: [{ address: 'secret@example.org' }] })
  t.same(
    message.recipients?.map(({ address }) => address),
    ['ada@example.org', 'secret@example.org'],
    'the envelope is that of the program',
  )
  t.match((await eventsOf(w)).at(-1), { type: 'draft.approved' })
  t.equal(await filesLeft(w), 0)
  t.equal((await w.record()).usedBytes, message.size_bytes)
})

onEveryEngine('what the human changes is composed anew', async (t, w) => {
  const { deciding } = w.mailboxes
  const asked = await submit(w, signedMail('Ten?'))
  const { form } = await deciding.shown(w.id, asked.id)
  const sent = await deciding.approve(w.id, asked.id, { form, change: { text: 'Eleven?', html: null } })
  const raw = await rawOf(w, sent.id)
  t.match(raw, 'Eleven?')
  t.notMatch(raw, /X-Mailer|multipart\/signed|Ten\?/)
})

onEveryEngine('a message with parts that nobody is shown is composed of what is shown', async (t, w) => {
  const { deciding } = w.mailboxes
  const parts = ['text/plain', 'text/html', 'text/x-amp-html'].map(
    (type) => `--a\r\nContent-Type: ${type}\r\n\r\nThis is ${type}.\r\n`,
  )
  const header = ['From: agent@agents.example', 'To: ada@example.org', 'MIME-Version: 1.0']
  const type = 'Content-Type: multipart/alternative; boundary=a'
  const raw = Buffer.from([...header, type, '', `${parts.join('')}--a--`, ''].join('\r\n'))
  const asked = await submit(w, raw, ['ada@example.org'])
  const { form, submitted } = await deciding.shown(w.id, asked.id)
  t.equal(submitted, undefined)
  const sent = await deciding.approve(w.id, asked.id, { form })
  const whole = await rawOf(w, sent.id)
  t.match(whole, 'This is text/html.')
  t.notMatch(whole, 'x-amp-html')
})

onEveryEngine('a returned one is still the program’s until the agent changes it', async (t, w) => {
  const { deciding, drafts, sending } = w.mailboxes
  const asked = await submit(w, signedMail('x'.repeat(200_000)))
  await deciding.sendBack(w.id, asked.id, { revision: 1, note: 'Shorter.' })
  const again = waiting(await sending.sendDraft(w.id, asked.id, ASKS))
  const shown = await deciding.shown(w.id, again.id)
  t.ok(shown.submitted)
  await deciding.sendBack(w.id, asked.id, { revision: again.revision, note: 'Shorter!' })
  await drafts.update(w.id, asked.id, { text: 'Short.' })
  t.equal((await deciding.shown(w.id, asked.id)).submitted, undefined)
  t.equal(await filesLeft(w), 1, 'only the attachment is left')
  const last = waiting(await sending.sendDraft(w.id, asked.id, ASKS))
  const { form } = await deciding.shown(w.id, last.id)
  const sent = await deciding.approve(w.id, last.id, { form })
  t.match(await rawOf(w, sent.id), 'Short.')
})

const NOTIFIED: AskedDsn = {
  ret: 'FULL',
  envelopeId: 'QQ+314',
  recipients: [
    { address: 'secret@example.org', notify: ['SUCCESS', 'FAILURE'], original: 'rfc822;old@example.org' },
    { address: 'ada@example.org' },
  ],
}

onEveryEngine('delivery notices that the program asked for are asked for once it is approved', async (t, w) => {
  const { deciding, outbound } = w.mailboxes
  const changes: DraftChange[] = [{}, { text: 'Eleven?', html: null }]
  for (const [i, change] of changes.entries()) {
    const asked = await submit(w, signedMail(`Ten? ${i}`), undefined, NOTIFIED)
    const { form } = await deciding.shown(w.id, asked.id)
    const { id } = await deciding.approve(w.id, asked.id, { form, change })
    t.strictSame(
      (await outbound.message(w.id, id))?.dsn,
      {
        ret: 'FULL',
        envelopeId: 'QQ+314',
        recipients: [{ place: 1, notify: ['SUCCESS', 'FAILURE'], original: 'rfc822;old@example.org' }],
      },
      Object.keys(change).join(' ') || 'unchanged',
    )
  }
})

onEveryEngine('and only for those who still get the message', async (t, w) => {
  const { deciding, outbound } = w.mailboxes
  const asked = await submit(w, signedMail('Ten?'), undefined, NOTIFIED)
  const { form } = await deciding.shown(w.id, asked.id)
  const { id } = await deciding.approve(w.id, asked.id, { form, change: { bcc: [] } })
  t.strictSame((await outbound.message(w.id, id))?.dsn, { ret: 'FULL', envelopeId: 'QQ+314', recipients: [] })
})

onEveryEngine('what asks for no notices keeps nothing of them', async (t, w) => {
  const { deciding, outbound } = w.mailboxes
  const wishes: AskedDsn = { ret: undefined, envelopeId: undefined, recipients: [{ address: 'ada@example.org' }] }
  const asked = await submit(w, signedMail('Ten?'), undefined, wishes)
  const row = await w.store.read(mailboxPartition(w.id), (view) => view.get(draftKey(asked.id)))
  t.notMatch(Buffer.from(present(row)).toString(), 'dsn')
  const { form } = await deciding.shown(w.id, asked.id)
  const { id } = await deciding.approve(w.id, asked.id, { form })
  t.equal((await outbound.message(w.id, id))?.dsn, undefined)
})

onEveryEngine("another's address in Sender is refused", async (t, w) => {
  const { sending } = w.mailboxes
  const foreign = Buffer.from(
    signedMail('Ten?').toString().replace('X-Mailer:', 'Sender: other@example.com\r\nX-Mailer:'),
  )
  await t.rejects(
    sending.submit(w.id, { raw: foreign, recipients: ['ada@example.org'], received: () => RECEIVED }, ASKS),
    {
      code: 'invalid_request',
    },
  )
})
