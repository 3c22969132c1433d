import { setTimeout as sleep } from 'node:timers/promises'
import { ANSWERED, DELETED, FLAGGED, SEEN } from '../../../src/mailbox/folders/flags.js'
import type { FolderKey } from '../../../src/mailbox/folders/folder.js'
import { eventsRange, mailboxPartition } from '../../../src/mailbox/keys.js'
import { verifyMailbox } from '../../../src/ops/verify/mailbox.js'
import { Client, keywordsOf, openFolder } from '../folders/client.js'
import { eventsOf, LIMITS, onEveryEngine, type World } from '../world.js'
import { given, messageAt, oldMail } from './mail.js'

const OWN = 'Agent <agent@agents.example>'
const MARCH_2019 = Date.UTC(2019, 2, 5, 10)

const faultsOf = async (w: World): Promise<string[]> => {
  const faults: string[] = []
  await verifyMailbox({ store: w.store, blobs: w.blobs, hash: true } as never, w.id, (kind, where, what) =>
    faults.push(`${kind} ${where} ${what}`),
  )
  return faults
}

onEveryEngine('a message goes into every folder, with its UID, flags, keywords and date', async (t, w) => {
  const client = new Client(w)
  const { importing, folders } = w.mailboxes
  await folders.create(w.id, 'Projects')
  const expected: [FolderKey, string, string, string, string[]][] = [
    ['inbox', 'INBOX', 'Ada <ada@example.org>', 'inbound', ['inbox']],
    ['inbox', 'INBOX', OWN, 'inbound', ['inbox']],
    ['sent', 'Sent', OWN, 'outbound', ['sent']],
    ['sent', 'Sent', 'Agent <agent@old.example>', 'outbound', ['sent']],
    ['junk', 'Junk', OWN, 'inbound', ['spam']],
    ['archive', 'Archive', 'Ada <ada@example.org>', 'inbound', []],
    ['archive', 'Archive', OWN, 'outbound', ['sent', '$filed']],
    ['label:projects', 'Projects', 'Ada <ada@example.org>', 'inbound', ['projects']],
    ['label:projects', 'Projects', OWN, 'outbound', ['sent', '$filed', 'projects']],
    ['trash', 'Trash', 'Ada <ada@example.org>', 'inbound', ['inbox']],
    ['trash', 'Trash', OWN, 'outbound', ['sent']],
  ]
  const uids = new Map<string, number>()
  for (const [i, [key, name, from, direction, labels]] of expected.entries()) {
    const uid = (uids.get(name) ?? 0) + 1
    uids.set(name, uid)
    const message = given(oldMail({ from, subject: `Message ${i}` }), {
      flags: SEEN | FLAGGED | (i % 2 ? ANSWERED : 0),
      keywords: ['$Forwarded', 'Mine'],
      internalDateMs: MARCH_2019,
    })
    const appended = await importing.append(w.id, key, message)
    const { view, entry, state } = await messageAt(w, name, uid)
    t.same(appended, { validity: view.row.validity, uid }, `${name} ${from}`)
    t.equal(state.direction, direction, `${name} ${from}`)
    t.same(
      state.labels.filter((label) => !['$flagged', '$answered', '$forwarded', '$:mine'].includes(label)),
      labels,
      `${name} ${from}`,
    )
    t.equal(entry.flags, SEEN | FLAGGED | (i % 2 ? ANSWERED : 0))
    t.same(keywordsOf(view, entry.keywords), ['$Forwarded', 'mine'])
    t.equal(entry.date * 1000, MARCH_2019)
    t.equal(entry.size, state.rawBytes)
    t.equal((await w.mailboxes.folders.raw(w.id, state))?.toString(), message.raw.toString())
    await client.look(t)
  }
  const { uid } = await importing.append(w.id, 'inbox', given(undefined, { flags: DELETED }))
  t.equal((await messageAt(w, 'INBOX', uid)).entry.flags, DELETED, 'unread and marked as deleted')
  await client.look(t)
  t.same(await faultsOf(w), [])
})

onEveryEngine('what the API says of imported mail is what is known', async (t, w) => {
  const { importing, reading } = w.mailboxes
  const attachment = [
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=b',
    'Authentication-Results: elsewhere.example; dmarc=pass header.from=example.org',
  ]
  const text = '--b\r\n\r\nHello\r\n--b\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\nfile\r\n--b--'
  await importing.append(w.id, 'inbox', given(oldMail({ headers: attachment, text }), { internalDateMs: MARCH_2019 }))
  await importing.append(w.id, 'sent', given(oldMail({ from: OWN, to: 'Bob <bob@example.org>' })))
  const [incoming, outgoing] = await Promise.all(
    (['INBOX', 'Sent'] as const).map(async (name) => reading.message(w.id, (await messageAt(w, name, 1)).state.id)),
  )
  t.match(incoming, {
    ...{ imported: true, untrusted: true, direction: 'inbound', status: 'received', auth: null, scan: null },
    ...{ unread: true, created_at: '2019-03-05T10:00:00.000Z', sent_at: '2019-03-05T10:00:00.000Z' },
    attachments: [{ filename: 'a.txt', scan: 'unscanned' }],
  })
  t.match(outgoing, {
    ...{ imported: true, untrusted: true, direction: 'outbound', status: 'delivered', composed_by: null },
    ...{ recipients: [], check: null, to: [{ address: 'bob@example.org', name: 'Bob' }] },
  })
  t.notOk('imported' in (await w.deliver()), 'and nothing of mail that came here')
})

onEveryEngine(
  'an import wakes nobody who did not ask for it, counts as neither received nor sent, and teaches nothing',
  async (t, w) => {
    const { importing, events } = w.mailboxes
    const first = await w.deliver({ subject: 'Before' })
    const before = await w.record()
    const never = new AbortController().signal
    const of = async (types?: string[]) =>
      (
        await events(
          w.id,
          {
            after: before.seq,
            limit: 100,
            waitMs: 0,
            filter: { types: types && (new Set(types) as never), withoutSpam: true },
          },
          never,
        )
      ).data
    const waiting = events(w.id, { after: before.seq, limit: 1, waitMs: 60_000, filter: { withoutSpam: true } }, never)
    await importing.append(w.id, 'inbox', given(oldMail({ from: 'Bob <bob@example.org>' })))
    for (let i = 0; i < 25; i++)
      await importing.append(w.id, 'sent', given(oldMail({ from: OWN, to: 'cy@example.org' })))
    await importing.append(w.id, 'junk', given(oldMail({ from: 'spam@example.org' })))
    t.same(await of(), [])
    t.equal((await of(['message.imported'])).length, 26, 'what is in Junk is about spam')
    t.match((await of(['message.imported']))[0], {
      type: 'message.imported',
      data: { direction: 'inbound', labels: ['inbox'], unread: true, thread_id: /^thr_/, message_id: /^msg_/ },
    })
    t.equal(await Promise.race([waiting.then(() => 'woken'), sleep(50, 'waits')]), 'waits')
    const { today, receivedCount, sentCount, messageCount } = await w.record()
    t.same(
      { today, receivedCount, sentCount, messageCount },
      { today: before.today, receivedCount: 1, sentCount: 0, messageCount: before.messageCount + 27 },
    )
    const { id } = await w.send({ to: [{ address: 'bob@example.org', name: '' }] })
    const sent = await w.mailboxes.reading.message(w.id, id)
    t.equal(sent.status, 'queued', 'twenty letters of the past in a conversation hold no letter of today')
    t.ok(w.recipients.asked.has('bob@example.org'), 'who wrote an imported message is a new recipient')
    const delivered = await w.deliver({ subject: 'After' })
    t.same(
      (await waiting).data.map(({ data }) => data['message_id']),
      [id],
    )
    t.ok(first.id < delivered.id)
    const junk = (await messageAt(w, 'Junk', 1)).state
    const seq = (await w.record()).seq
    await w.mailboxes.labels.updateMessage(w.id, junk.id, { removeLabels: ['spam'] })
    const cleared = (await eventsOf(w, seq))[0]
    t.equal(cleared?.data['was_spam'], true)
    t.notOk(cleared && 'newly_visible' in cleared.data, 'imported junk that is cleared is no new mail')
  },
)

onEveryEngine(
  'imported mail joins conversations by its references, and by its subject only near its own time',
  async (t, w) => {
    const { importing } = w.mailboxes
    const now = await w.deliver({ from: 'Ada <ada@example.org>', subject: 'Invoice' })
    await importing.append(w.id, 'inbox', given(oldMail({ subject: 'Invoice' }), { internalDateMs: MARCH_2019 }))
    await importing.append(w.id, 'inbox', given(oldMail({ subject: 'Offer' }), { internalDateMs: MARCH_2019 }))
    await importing.append(
      w.id,
      'inbox',
      given(oldMail({ subject: 'Re: Offer', headers: ['Message-ID: <one@example.org>'] }), {
        internalDateMs: MARCH_2019 + 86_400_000,
      }),
    )
    await importing.append(
      w.id,
      'sent',
      given(
        oldMail({ from: OWN, to: 'eve@example.org', subject: 'Other', headers: ['In-Reply-To: <one@example.org>'] }),
        {
          internalDateMs: MARCH_2019 + 2 * 86_400_000,
        },
      ),
    )
    const threads = await Promise.all(
      (
        [
          ['INBOX', 2],
          ['INBOX', 3],
          ['INBOX', 4],
          ['Sent', 1],
        ] as const
      ).map(async ([name, uid]) => (await messageAt(w, name, uid)).state.threadId),
    )
    t.not(threads[0], now.thread_id, 'seven years apart')
    t.equal(new Set(threads.slice(1)).size, 1, 'by subject and by reference')
    const next = await w.deliver({ from: 'Ada <ada@example.org>', subject: 'Re: Invoice' })
    t.equal(next.thread_id, now.thread_id, 'the conversation of today goes on')
    t.same(await faultsOf(w), [])
  },
)

onEveryEngine('line ends become CRLF, and what is no message is refused', async (t, w) => {
  const { importing } = w.mailboxes
  for (const lineEnd of ['\n', '\r\n']) await importing.append(w.id, 'inbox', given(oldMail({ lineEnd })))
  for (const uid of [1, 2]) {
    const { state } = await messageAt(w, 'INBOX', uid)
    t.equal((await w.mailboxes.folders.raw(w.id, state))?.toString(), oldMail().toString())
  }
  const before = await w.record()
  await t.rejects(importing.append(w.id, 'inbox', given(oldMail({ text: 'a\0b' }))), { code: 'invalid_request' })
  await t.rejects(importing.append(w.id, 'inbox', given(oldMail({ text: 'x'.repeat(LIMITS.messageBytes) }))), {
    code: 'payload_too_large',
  })
  await t.rejects(
    importing.append(w.id, 'inbox', given(oldMail({ text: '\n'.repeat(LIMITS.messageBytes / 2 + 1), lineEnd: '\n' }))),
    {
      code: 'payload_too_large',
    },
  )
  for (const key of ['label:held', 'label:Ä', 'label:$x', 'label:'] as const)
    await t.rejects(importing.append(w.id, key, given()), { code: 'invalid_request' }, key)
  await t.rejects(
    importing.append(w.id, 'inbox', given(undefined, { keywords: Array.from({ length: 60 }, (_, i) => `k${i}`) })),
    {
      code: 'invalid_request',
    },
  )
  t.same(await w.record(), before)
})

onEveryEngine('a full mailbox takes nothing, and writes no file', async (t, w) => {
  const { importing } = w.mailboxes
  const big = oldMail({ text: 'x'.repeat(400 * 1024) })
  await importing.append(w.id, 'inbox', given(big))
  await importing.append(w.id, 'inbox', given(big))
  const before = await w.record()
  let written = 0
  const { put } = w.blobs
  w.blobs.put = async (...args) => {
    written++
    return put.apply(w.blobs, args)
  }
  t.teardown(() => {
    w.blobs.put = put
  })
  await t.rejects(importing.append(w.id, 'inbox', given(big)), { code: 'quota_exceeded' })
  await t.rejects(importing.append(w.id, 'drafts', given(big)), { code: 'quota_exceeded' })
  const half = oldMail({ text: 'x'.repeat(150 * 1024) })
  await t.rejects(importing.appendAll(w.id, 'inbox', [given(half), given(half)]), { code: 'quota_exceeded' })
  t.equal(written, 0)
  t.same(await w.record(), before, 'none of two is stored where both have no room')
  await importing.append(w.id, 'inbox', given(half))
  t.equal(written, 1)
})

onEveryEngine('several messages are stored in one commit, all or none', async (t, w) => {
  const { importing } = w.mailboxes
  const many = Array.from({ length: 128 }, (_, i) => given(oldMail({ subject: `Message ${i}` })))
  await openFolder(w, 'INBOX')
  const appended = await importing.appendAll(w.id, 'inbox', many)
  t.same(
    appended.map(({ uid }) => uid),
    many.map((_, i) => i + 1),
  )
  const commits = await w.store.read(mailboxPartition(w.id), (view) => view.range(eventsRange))
  t.equal(commits.length, 1)
  await new Client(w).look(t)
  await t.rejects(importing.appendAll(w.id, 'inbox', [...many, given()]), { code: 'invalid_request' })
  await t.rejects(importing.appendAll(w.id, 'trash', [given(), given(Buffer.from('a\0'))]), { code: 'invalid_request' })
  t.equal((await w.record()).messageCount, 128)
  t.same(await importing.appendAll(w.id, 'inbox', []), [])
  t.same(
    (await importing.appendAll(w.id, 'trash', many)).map(({ uid }) => uid),
    many.map((_, i) => i + 1),
  )
  await new Client(w).look(t)
  t.same(await faultsOf(w), [])
})

onEveryEngine('the copy of what was sent is the message that was sent', async (t, w) => {
  const { importing, reading } = w.mailboxes
  const { id } = await w.send()
  const { message_id: messageId } = await reading.message(w.id, id)
  const copy = (): ReturnType<typeof given> =>
    given(oldMail({ from: OWN, to: 'ada@example.org', headers: [`Message-ID: <${messageId}>`] }), {
      flags: SEEN | FLAGGED,
      keywords: ['$Forwarded'],
    })
  t.match(await importing.append(w.id, 'sent', copy()), { uid: 1 })
  t.match(await importing.append(w.id, 'sent', copy()), { uid: 1 })
  const { view, entry } = await messageAt(w, 'Sent', 1)
  t.equal(view.exists, 1)
  t.equal(entry.flags, SEEN | FLAGGED)
  t.same(keywordsOf(view, entry.keywords), ['$Forwarded'])
  t.notOk((await reading.message(w.id, id)).imported)
  t.match(await importing.append(w.id, 'archive', copy()), { uid: 1 }, 'elsewhere it is a message of its own')
  t.match(await importing.append(w.id, 'sent', given(oldMail({ from: OWN }))), { uid: 2 }, 'without Message-ID')
  const other = given(oldMail({ from: OWN, headers: ['Message-ID: <other@example.org>'] }))
  t.match(await importing.append(w.id, 'sent', other), { uid: 3 })
  t.match(await importing.append(w.id, 'sent', other), { uid: 4 }, 'imported mail is no mail that was sent')
  w.clock.advance(8 * 86_400_000)
  t.match(await importing.append(w.id, 'sent', copy()), { uid: 5 }, 'eight days later')
  await new Client(w).look(t)
})
