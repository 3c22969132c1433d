/**
 * The human's inbox of 10,000 conversations: CPU time of the daemon for a page, its bytes on the wire and compressed, and those of all its
 * scripts and its stylesheet.
 */
import { gzipSync } from 'node:zlib'
import { approvedAgent } from '../test/support/agent.js'
import { startDaemon, type Daemon } from '../test/support/daemon.js'
import { cpuMs } from './processes/process.js'
import { fillNewest } from './support/filling.js'
import { lengthOf, messagesOf } from './support/length.js'
import { table, type Row } from './support/table.js'

/** Each is a conversation of its own. */
const MESSAGES = messagesOf(10_000, 200)
const OPENED = lengthOf(500, 20)
const OWNER = 'owner@example.org'

export async function inbox(): Promise<string> {
  const daemon = await startDaemon({
    'limits.requests_per_minute': '1000000',
    'limits.account_requests_per_minute': '1000000',
  })
  try {
    const { address } = await approvedAgent(daemon, 'inbox.agent', OWNER)
    await daemon.end('SIGTERM')
    await fillNewest(daemon.dataDir, MESSAGES)
    await daemon.start()
    const cookie = await signIn(daemon)
    const open = async (path: string): Promise<string> => {
      const answer = await fetch(`${daemon.url}${path}`, { headers: { cookie }, redirect: 'manual' })
      const text = await answer.text()
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text}`)
      return text
    }
    const first = await open('/inbox')
    const older = hrefOf(first, 'Older')
    const conversation = /<a href="(\/inbox\/[^"]+)" data-row>/.exec(first)?.[1] ?? ''
    const pages = {
      'the first page': '/inbox',
      'the second page': older,
      'a search of two common words': `/inbox?mailbox=${encodeURIComponent(address)}&q=the+and`,
      'a conversation of one message': conversation,
    }
    const rows: Row[] = []
    for (const [what, path] of Object.entries(pages)) {
      const cost = async (): Promise<number> => {
        const before = await cpuMs(daemon.pid())
        for (let n = 0; n < OPENED; n++) await open(path)
        return ((await cpuMs(daemon.pid())) - before) / OPENED
      }
      await cost()
      rows.push({ what, value: `${(await cost()).toFixed(2)} ms CPU`, beside: sizesOf(await open(path)) })
    }
    for (const [, path = ''] of first.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css))"/g))
      rows.push({ what: path.endsWith('.js') ? 'its script' : 'its stylesheet', value: sizesOf(await open(path)) })
    return table(`The inbox, of ${MESSAGES.toLocaleString('en')} conversations`, rows)
  } finally {
    await daemon.remove()
  }
}

const sizesOf = (text: string): string =>
  `${(Buffer.byteLength(text) / 1000).toFixed(1)} kB, compressed ${(gzipSync(text).length / 1000).toFixed(1)} kB`

/** @returns the cookie of a session */
async function signIn(daemon: Daemon): Promise<string> {
  const { stdout, stderr } = await daemon.cli('account', 'sign-in', OWNER)
  const link = stdout.trim()
  const { origin } = new URL(link)
  const headers = { origin, 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await fetch(link, { method: 'POST', headers, body: '' })
  const cookie = answer.headers.getSetCookie().find((each) => each.startsWith('__Host-restante_session='))
  if (cookie === undefined) throw new Error(`not signed in: ${answer.status} ${stderr}`)
  return cookie.split(';')[0] ?? ''
}

function hrefOf(text: string, words: string): string {
  const [, href] = new RegExp(`<a href="([^"]*)">${words}</a>`).exec(text) ?? []
  if (href === undefined) throw new Error(`no link ${words}`)
  return href.replaceAll('&amp;', '&')
}
