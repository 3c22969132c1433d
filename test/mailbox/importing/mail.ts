/** Messages as mail programs and old mailboxes have them. */
import type { GivenMessage } from '../../../src/mailbox/importing/read-message.js'
import { openFolder } from '../folders/client.js'
import { present, type World } from '../world.js'

export interface OldMail {
  from?: string
  to?: string
  subject?: string
  date?: string
  headers?: string[]
  text?: string
  lineEnd?: string
}

export function oldMail({
  from = 'Ada <ada@example.org>',
  to = 'agent@agents.example',
  subject = 'Old times',
  date = 'Tue, 05 Mar 2019 10:00:00 +0000',
  headers = [],
  text = 'Do you remember?',
  lineEnd = '\r\n',
}: OldMail = {}): Buffer {
  const lines = [`From: ${from}`, `To: ${to}`, `Subject: ${subject}`, `Date: ${date}`, ...headers, '', text, '']
  return Buffer.from(lines.join('\n').replaceAll('\n', lineEnd))
}

export const given = (raw: Buffer = oldMail(), rest: Partial<GivenMessage> = {}): GivenMessage => ({
  raw,
  flags: 0,
  keywords: [],
  ...rest,
})

export async function messageAt(w: World, folder: string, uid: number) {
  const view = await openFolder(w, folder)
  const [state] = await w.mailboxes.folders.messages(w.id, [present(view.entry(uid)).place])
  return { view, entry: present(view.entry(uid)), state: present(state) }
}
