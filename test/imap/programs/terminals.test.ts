/** Mail programs in a terminal, on the mailbox of a real daemon: what they do is seen in the API. */
import t, { type Test } from 'tap'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { waitForEvent } from '../../support/agent.js'
import { opensslPeer } from '../../support/peers/certificates.js'
import { allPeers, peer } from '../../support/peers/peers.js'
import { inTerminal, terminalPeer } from '../../support/terminal.js'
import { startMailWorld, type MailWorld } from './world.js'

const NEOMUTT = '/usr/bin/neomutt'
const MUTT = '/usr/bin/mutt'
const ALPINE = '/usr/bin/alpine'
const SIZE = { rows: 30, columns: 100 }
/** What ends the line that the cursor is on. */
const NORMAL = '\x1b[27m'
const BOB = 'bob.agent@agents.test'

/** Five new messages alone in the inbox. @returns a function that says what became of them: labels in order, and whether one is unread */
async function fill(world: MailWorld, name: string): Promise<() => Promise<string[][]>> {
  for (const id of (await world.ids('inbox')).values()) await world.change(id, { remove_labels: ['inbox'] })
  await world.arrive(name, 5, 1)
  const ids = await world.ids('inbox')
  return async () => {
    const trash = (await world.agent.call('GET', '/v1/trash')).body.data.map(({ id }: { id: string }) => id)
    const found = []
    for (const number of [0, 1, 2, 3, 4]) {
      const id = ids.get(`${name}-${number}@peer.test`) ?? ''
      const { labels, unread } = (await world.agent.call('GET', `/v1/messages/${id}`)).body
      found.push(trash.includes(id) ? ['trash'] : [...labels.sort(), ...(unread ? ['unread'] : [])])
    }
    return found
  }
}

async function isSentOnce(t: Test, { agent }: MailWorld, subject: string): Promise<void> {
  const page = await agent.call('GET', '/v1/messages?label=sent&limit=50')
  const sent = page.body.data.filter((each: { subject: string }) => each.subject === subject)
  t.equal(sent.length, 1, JSON.stringify(page.body.data))
  await waitForEvent(agent, ({ data }) => data.message_id === sent[0].id && data.status === 'delivered')
}

const PEERS = [peer('neomutt', NEOMUTT), peer('mutt', MUTT), peer('alpine', ALPINE), terminalPeer(), opensslPeer()]

t.test('programs in a terminal read, flag, file, delete and send', allPeers(...PEERS), async (t) => {
  const world = await startMailWorld(t)
  const { dir, imapPort, tlsPort, user } = world
  const { text: password } = await world.appPassword({ scopes: ['imap', 'submission'] })

  for (const [name, program] of [
    ['neomutt', NEOMUTT],
    ['mutt', MUTT],
  ] as const)
    t.test(name, async (t) => {
      const outcome = await fill(world, name)
      const config = join(dir, `${name}rc`)
      const lines = [
        `set imap_user="${user}" imap_pass="${password}" smtp_pass="${password}"`,
        `set folder="imaps://127.0.0.1:${imapPort}/" smtp_url="smtps://${user}@127.0.0.1:${tlsPort}/"`,
        'set spoolfile="+INBOX" record="+Sent" postponed="+Drafts" trash="+Trash"',
        `set certificate_file="${world.caFile}" ssl_verify_host=no`,
        `set from="${user}" realname="Ada" editor="echo Hello >>"`,
        'set confirmappend=no confirmcreate=no delete=yes mark_old=no pager_stop=yes sort=mailbox-order sleep_time=0',
      ]
      await writeFile(config, `${lines.join('\n')}\n`)
      const keys = [
        '<jump>2<enter><display-message><exit>',
        '<jump>3<enter><flag-message>',
        '<jump>4<enter><save-message>=Papers<enter>',
        '<jump>5<enter><delete-message>',
        '<sync-mailbox>',
        `<mail>${BOB}<enter>Written in ${name}<enter><send-message>`,
        '<quit>',
      ]
      const command = [program, '-n', '-F', config, '-e', `push "${keys.join('')}"`]
      const run = inTerminal(t, SIZE, command, { HOME: dir })
      t.equal((await run.ended).code, 0, run.text)
      t.same(await outcome(), [
        ['inbox', 'unread'],
        ['inbox'],
        ['$flagged', 'inbox', 'unread'],
        ['papers', 'unread'],
        ['trash'],
      ])
      await isSentOnce(t, world, `Written in ${name}`)
    })

  t.test('alpine', async (t) => {
    const outcome = await fill(world, 'alpine')
    const config = join(dir, 'pinerc')
    const server = (port: number): string => `{127.0.0.1:${port}/ssl/novalidate-cert/user=${user}}`
    const lines = [
      'user-domain=agents.test',
      // Else it is the name of who runs it, at the domain.
      `customized-hdrs=From: Ada <${user}>`,
      `inbox-path=${server(imapPort)}INBOX`,
      `folder-collections=Agent ${server(imapPort)}[]`,
      'default-fcc=Sent',
      `smtp-server=${server(tlsPort).slice(1, -1)}`,
      'feature-list=enable-flag-cmd,expunge-without-confirm,quit-without-confirm,disable-password-caching,disable-password-file-saving',
      'last-time-prune-questions=126.12',
      'last-version-used=6.26',
    ]
    await writeFile(config, `${lines.join('\n')}\n`)
    const run = inTerminal(t, SIZE, [ALPINE, '-p', config, '-i'], { HOME: dir })
    let read = 0
    /** Presses keys once the screen shows something new. */
    const then = async (shown: string, keys: string): Promise<void> => {
      await run.seen((text) => text.includes(shown, read))
      read = run.text.length
      run.order(`key ${keys}`)
    }
    await then('ENTER PASSWORD', `${password}\r`)
    // Not the words in its line of messages: it shows them late, or first at the next key.
    await then(`alpine 0${NORMAL}`, '\r')
    await then('This is number 0 of alpine', '<')
    await then('Message 1 of 5', 'n')
    await then(`alpine 1${NORMAL}`, '*')
    await then('Flag New', '*')
    await then(`*${NORMAL}`, 'n')
    await then(`alpine 2${NORMAL}`, 's')
    await then('SAVE Msg #3', 'Papers\r')
    await then('DEL', 'n')
    await then(`alpine 3${NORMAL}`, 'd')
    await then('Message 5 of 5', 'x')
    await then('Message 3 of 3', 'r')
    await then('Include original message', 'n')
    await then('Reply to all', 'n')
    await then('Message Text', 'Hello\x18')
    await then('Send message', 'y')
    await then('ENTER PASSWORD', `${password}\r`)
    await then(`alpine 4${NORMAL}`, 'q')
    t.equal((await run.ended).code, 0, run.text)
    t.same(await outcome(), [
      ['inbox'],
      ['$flagged', 'inbox', 'unread'],
      ['papers', 'unread'],
      ['trash'],
      ['$answered', 'inbox', 'unread'],
    ])
    const [reply] = (await world.agent.call('GET', '/v1/messages?label=sent')).body.data
    t.match(reply, { subject: 'Re: alpine 4', to: [{ address: 'bob@peer.test' }], preview: 'Hello' })
  })
})
