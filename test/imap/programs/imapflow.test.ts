/** imapflow, the library of mail programs in Node.js, against the real daemon: with IDLE, and after being away with QRESYNC. */
import t, { type Test } from 'tap'
import { once } from 'node:events'
import { ImapFlow, type ExpungeEvent, type FlagsEvent } from 'imapflow'
import { opensslPeer } from '../../support/peers/certificates.js'
import { flowTo, LABEL, startMailWorld, type MailWorld } from './world.js'

async function connected(t: Test, world: MailWorld): Promise<ImapFlow> {
  const { user, password } = world
  const client = new ImapFlow({ ...flowTo(world), auth: { user, pass: password }, qresync: true })
  t.teardown(() => client.close())
  await client.connect()
  return client
}

const trashed = async ({ agent }: MailWorld, id: string | undefined): Promise<void> => {
  const { status, body } = await agent.call('DELETE', `/v1/messages/${id ?? 'none'}`)
  if (status >= 300) throw new Error(JSON.stringify(body))
}

t.test('imapflow', opensslPeer(), async (t) => {
  const world = await startMailWorld(t)
  const { arrive, change } = world
  await arrive('mail', 6, 1)
  const ids = await world.ids()
  const id = (number: number): string | undefined => ids.get(`mail-${number}@peer.test`)
  await change(id(0), { add_labels: [LABEL] })

  t.test('lists, fetches, searches, stores and moves', async (t) => {
    const client = await connected(t, world)
    t.same([...client.enabled].sort(), ['CONDSTORE', 'IMAP4REV2', 'QRESYNC', 'UTF8=ACCEPT'])
    const folders = (await client.list()).map(({ path, specialUse = null }) => [path, specialUse])
    t.same(folders.sort(), [
      ['Archive', '\\Archive'],
      ['Drafts', '\\Drafts'],
      ['INBOX', '\\Inbox'],
      ['Junk', '\\Junk'],
      ['Sent', '\\Sent'],
      ['Trash', '\\Trash'],
      ['projects', null],
      [LABEL, null],
    ])
    t.match(await client.status('INBOX', { messages: true, unseen: true }), { messages: 6, unseen: 6 })
    const lock = await client.getMailboxLock('INBOX')
    const fetched = await client.fetchAll('1:*', {
      uid: true,
      flags: true,
      envelope: true,
      bodyStructure: true,
      internalDate: true,
      threadId: true,
      source: true,
    })
    t.match(
      fetched.map(({ uid, envelope, emailId }) => [uid, envelope?.subject, emailId]),
      [0, 1, 2, 3, 4, 5].map((number) => [number + 1, `mail ${number}`, id(number)]),
    )
    t.match(fetched[0]?.bodyStructure, { type: 'text/plain' })
    t.match(String(fetched[0]?.source), 'This is number 0 of mail.')
    t.match(fetched[0]?.threadId, /^thr_/)
    t.same(await client.search({ subject: 'mail 3', seen: false }, { uid: true }), [4])
    t.ok(await client.messageFlagsAdd('2', ['\\Seen', '$Forwarded'], { uid: true }))
    t.match(await client.messageMove('3', 'Archive', { uid: true }), { uidMap: new Map([[3, 1]]) })
    t.match(await client.append('Archive', 'Message-ID: <put@peer.test>\r\n\r\nHello.\r\n', ['\\Flagged']), { uid: 2 })
    lock.release()
    await client.logout()
    const { INBOX = {}, Archive } = await world.contents()
    t.equal(INBOX['mail-1@peer.test'], 'S')
    t.same(Archive, { 'mail-2@peer.test': '', 'put@peer.test': 'F' })
  })

  t.test('IDLE tells of mail, flags and what is gone', async (t) => {
    const client = await connected(t, world)
    const { exists } = await client.mailboxOpen('INBOX')
    void client.idle()
    const came = once(client, 'exists')
    await arrive('later', 1)
    t.match(await came, [{ path: 'INBOX', count: exists + 1, prevCount: exists }])
    const flagged = once(client, 'flags') as Promise<[FlagsEvent]>
    await change(id(3), { add_labels: ['$flagged'] })
    const [event] = await flagged
    t.match(event, { uid: 4 })
    t.same([...event.flags], ['\\Flagged'])
    const gone = once(client, 'expunge')
    await trashed(world, id(3))
    t.match(await gone, [{ path: 'INBOX', uid: 4, vanished: true, earlier: false }])
    await client.logout()
  })

  t.test('QRESYNC: after being away it is told what changed, and no more', async (t) => {
    const before = await connected(t, world)
    const { uidValidity, highestModseq } = await before.mailboxOpen('INBOX')
    await before.logout()
    await change(id(4), { unread: false })
    await trashed(world, id(5))
    const client = await connected(t, world)
    const [flags, gone]: [FlagsEvent[], ExpungeEvent[]] = [[], []]
    client.on('flags', (event) => flags.push(event))
    client.on('expunge', (event) => gone.push(event))
    await client.mailboxOpen('INBOX', { changedSince: highestModseq, uidValidity })
    t.match(
      flags.map(({ uid, flags }) => [uid, [...flags]]),
      [[5, ['\\Seen']]],
    )
    t.match(gone, [{ uid: 6, vanished: true, earlier: true }])
    t.same([flags.length, gone.length], [1, 1])
    const changed = await client.fetchAll('1:*', { uid: true, flags: true }, { changedSince: highestModseq })
    t.same(
      changed.map(({ uid }) => uid),
      [5],
    )
    await client.logout()
  })
})
