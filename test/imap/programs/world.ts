/** A daemon that has mail in its folders, and what the API says of them: for tests with real mail programs. */
import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Test } from 'tap'
import { approvedAgent, waitForEvent } from '../../support/agent.js'
import { openDialog } from '../../support/peers/smtp-dialog.js'
import { freePort } from '../../support/ports.js'
import { HOST, startWorld, submit, type World } from '../../submission/world.js'

/** Custom labels, with the names that their folders have for programs: the second as a program wrote it, in modified UTF-7 (RFC 3501 §5.1.3). */
export const LABEL = 'projects/alpha'
const FOLDERS: Readonly<Record<string, string>> = { inbox: 'INBOX', [LABEL]: LABEL, bucher: 'B&APw-cher' }
/** Folders with mail by name; of each message the flags that it has, as letters of a Maildir, by Message-ID. */
export type Contents = Record<string, Record<string, string>>

export interface MailWorld extends World {
  imapPort: number
  /** App password that reads and files mail. */
  password: string
  user: string
  /** Messages from elsewhere, with Message-IDs `<name>-<number>@peer.test`; with `atOnce` 1 in their order. */
  arrive(name: string, count: number, atOnce?: number): Promise<void>
  /** What a program sends to another mailbox. */
  send(name: string, count: number): Promise<void>
  /** What the API says. */
  contents(): Promise<Contents>
  /** Ids of messages by Message-ID, among those of a label if there is one. */
  ids(label?: string): Promise<Map<string, string>>
  change(id: string | undefined, change: Record<string, unknown>): Promise<void>
}

/** Options of imapflow for the daemon. */
export const flowTo = ({ imapPort, ca }: Pick<MailWorld, 'imapPort' | 'ca'>) =>
  ({ host: '127.0.0.1', port: imapPort, secure: true, servername: HOST, tls: { ca }, logger: false }) as const

const AT_ONCE = 4
const PAGE = 100

export async function startMailWorld(t: Test, settings: Record<string, string> = {}): Promise<MailWorld> {
  const imapPort = await freePort()
  const world = await startWorld(t, {
    'imap.listen_tls': `127.0.0.1:${imapPort}`,
    'limits.requests_per_minute': '100000',
    'limits.account_requests_per_minute': '100000',
    'smtp.max_transactions': '10000',
    ...settings,
  })
  const { agent, daemon } = world
  const { text: password } = await world.appPassword({ scopes: ['imap'] })
  const other = await approvedAgent(daemon, 'bob.agent', 'human@example.org')

  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  async function all(query = ''): Promise<any[]> {
    const messages = []
    for (let cursor = ''; ;) {
      const page = await agent.call('GET', `/v1/messages?limit=${PAGE}${query}${cursor}`)
      if (page.status !== 200) throw new Error(JSON.stringify(page.body))
      messages.push(...page.body.data)
      if (!page.body.has_more) return messages
      cursor = `&cursor=${page.body.next_cursor}`
    }
  }

  return {
    ...world,
    imapPort,
    password,
    user: agent.address,
    async arrive(name, count, atOnce = AT_ONCE) {
      const deliverFrom = async (first: number): Promise<void> => {
        const dialog = await openDialog(daemon.smtpPort)
        await dialog.reply()
        await dialog.say('EHLO client.peer.test')
        for (let number = first; number < count; number += atOnce) {
          const reply = await submit(dialog, {
            from: 'bob@peer.test',
            to: [agent.address],
            lines: [
              'From: Bob <bob@peer.test>',
              `To: ${agent.address}`,
              `Subject: ${name} ${number}`,
              `Message-ID: <${name}-${number}@peer.test>`,
              'Date: Fri, 01 May 2026 10:00:00 +0200',
              '',
              `This is number ${number} of ${name}.`,
            ],
          })
          if (!reply.startsWith('250')) throw new Error(reply)
        }
        dialog.drop()
      }
      await Promise.all(Array.from({ length: Math.min(atOnce, count) }, (_, first) => deliverFrom(first)))
    },
    async send(name, count) {
      const { text } = await world.appPassword()
      const dialog = await world.signedIn(text)
      for (let number = 0; number < count; number++) {
        const reply = await submit(dialog, {
          from: agent.address,
          to: [other.address],
          lines: [
            `From: ${agent.address}`,
            `To: ${other.address}`,
            `Subject: ${name} ${number}`,
            `Message-ID: <${name}-${number}@agents.test>`,
            '',
            'Sent.',
          ],
        })
        const id = /msg_\w+/.exec(reply)?.[0]
        if (id === undefined) throw new Error(reply)
        await waitForEvent(agent, (event) => event.data.message_id === id && event.data.status === 'delivered')
      }
      dialog.drop()
    },
    async contents() {
      const contents: Contents = {}
      for (const { labels, unread, direction, message_id: id } of await all()) {
        const flags = [
          labels.includes('$flagged') ? 'F' : '',
          labels.includes('$answered') ? 'R' : '',
          unread ? '' : 'S',
        ].join('')
        const folders = labels.flatMap((label: string) => FOLDERS[label] ?? [])
        if (direction === 'outbound') folders.push('Sent')
        for (const folder of folders.length > 0 ? folders : ['Archive']) {
          const messages = (contents[folder] ??= {})
          if (messages[id] !== undefined) throw new Error(`twice in ${folder}: ${id}`)
          messages[id] = flags
        }
      }
      return contents
    },
    async ids(label) {
      const messages = await all(label === undefined ? '' : `&label=${label}`)
      return new Map(messages.map((message) => [message.message_id, message.id]))
    },
    async change(id, change) {
      const { status, body } = await agent.call('PATCH', `/v1/messages/${id ?? 'none'}`, change)
      if (status !== 200) throw new Error(JSON.stringify(body))
    },
  }
}

/** Files of a folder of a Maildir, by Message-ID. @throws where two have the same */
export async function maildirFiles(root: string, folder: string): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  for (const part of ['cur', 'new'])
    for (const name of await readdir(join(root, folder, part))) {
      const file = join(root, folder, part, name)
      const id = /^message-id: *<([^>]*)>/im.exec(await readFile(file, 'utf8'))?.[1]
      if (id === undefined || files.has(id)) throw new Error(`${folder}: twice or without Message-ID: ${id}`)
      files.set(id, file)
    }
  return files
}

/** Renames a message of a Maildir. @param flags letters in order */
export const setFlags = (file: string, flags: string): Promise<void> =>
  rename(file, file.replace(/\/(?:new|cur)\/([^:]*)(?::.*)?$/, `/cur/$1:2,${flags}`))

/** A new message that was read. */
export const putInto = (maildir: string, folder: string, id: string): Promise<void> =>
  writeFile(
    join(maildir, folder, 'cur', `1777000000.${id.replace('@', '.')}.laptop:2,S`),
    `From: bob@peer.test\nMessage-ID: <${id}>\nSubject: From the Maildir\n\nHello.\n`,
  )

/** Folders that are not empty. */
export async function maildirContents(root: string): Promise<Contents> {
  const contents: Contents = {}
  const entries = await readdir(root, { recursive: true })
  for (const folder of entries.flatMap((entry) => (basename(entry) === 'cur' ? dirname(entry) : [])))
    for (const [id, file] of await maildirFiles(root, folder))
      (contents[folder] ??= {})[id] = /:2,([A-Z]*)$/.exec(file)?.[1] ?? ''
  return contents
}
