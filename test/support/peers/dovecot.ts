/** Dovecot's IMAP server over pipes, already signed in, with a mailbox of its own: no port, no password, nothing left behind. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { readValues, responseLength, type ImapValue } from '../imap-reader.js'
import { peer } from './peers.js'

const IMAP = '/usr/lib/dovecot/imap'

/** For the options of a test. */
export const dovecotPeer = (): { skip: string | false } => peer('Dovecot', IMAP)

export interface Dovecot {
  /** Puts a message alone into the inbox, as number 1. */
  keep(raw: Buffer): Promise<void>
  /** What FETCH answers of the message, by name of the item; undefined when it answers NO. */
  fetch(items: readonly string[]): Promise<Map<string, ImapValue> | undefined>
  /** Adds a message to the inbox. @param date as APPEND has it */
  append(raw: Buffer, date: string): Promise<void>
  /** The untagged responses of a command that it answers with OK. */
  ask(line: string): Promise<string[]>
  stop(): Promise<void>
}

export interface DovecotMailbox {
  /** For a shell: a session that is signed in already, on its input and output. */
  command: string
  remove(): Promise<void>
}

/** Folders have names like `a/b`. */
export async function createDovecotMailbox(): Promise<DovecotMailbox> {
  const home = await mkdtemp(join(tmpdir(), 'restante-dovecot-'))
  const { uid } = userInfo()
  // It reads nobody's mail as root.
  if (uid === 0) {
    const [, mailUid = '', mailGid = ''] = /^mail:[^:]*:(\d+):(\d+)/m.exec(await readFile('/etc/passwd', 'utf8')) ?? []
    await chown(home, Number(mailUid), Number(mailGid))
  }
  const config = join(home, 'dovecot.conf')
  await writeFile(
    config,
    [
      `base_dir = ${home}/run`,
      `mail_location = sdbox:${home}/mail`,
      `mail_home = ${home}`,
      'mail_fsync = never',
      'ssl = no',
      'first_valid_uid = 1',
      ...(uid === 0 ? ['mail_uid = mail', 'mail_gid = mail'] : []),
      'log_path = /dev/stderr',
      'namespace inbox {',
      '  inbox = yes',
      '  separator = /',
      '}',
      '',
    ].join('\n'),
  )
  return {
    // What Node.js and others call pipes are sockets, on which it says nothing.
    command: `cat | env USER=agent HOME=${home} ${IMAP} -c ${config} | cat`,
    remove: () => rm(home, { recursive: true, force: true }),
  }
}

/** @param given a mailbox that outlives it; one of its own when not given */
export async function startDovecot(given?: DovecotMailbox): Promise<Dovecot> {
  const mailbox = given ?? (await createDovecotMailbox())
  const child = spawn('/bin/sh', ['-c', mailbox.command], {
    env: { PATH: process.env.PATH },
    stdio: 'pipe',
  })
  const ended = once(child, 'close')
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  // Its end is told by the output that ends.
  child.stdin.on('error', () => undefined)
  const output: AsyncIterator<Buffer> = child.stdout[Symbol.asyncIterator]()
  let pending = Buffer.alloc(0)
  let tag = 0

  const response = async (): Promise<Buffer> => {
    for (;;) {
      const length = responseLength(pending)
      if (length !== undefined) {
        const first = pending.subarray(0, length)
        pending = pending.subarray(length)
        return first
      }
      const { done, value } = await output.next()
      if (done) throw new Error(`Dovecot has ended: ${errors}`)
      pending = Buffer.concat([pending, value])
    }
  }
  /** @returns whether it answered OK, and the responses before */
  const command = async (...octets: (string | Buffer)[]): Promise<{ isOk: boolean; responses: Buffer[] }> => {
    const name = `t${++tag} `
    child.stdin.write(Buffer.concat([name, ...octets, '\r\n'].map((each) => Buffer.from(each))))
    const responses: Buffer[] = []
    for (;;) {
      const next = await response()
      const line = next.toString('latin1')
      if (line.startsWith('* BYE')) throw new Error(`Dovecot has ended: ${line}${errors}`)
      if (!line.startsWith(name)) responses.push(next)
      else if (line.startsWith(`${name}BAD`)) throw new Error(line)
      else return { isOk: line.startsWith(`${name}OK`), responses }
    }
  }
  const must = async (...octets: (string | Buffer)[]): Promise<void> => {
    if (!(await command(...octets)).isOk) throw new Error(`Dovecot refuses ${octets[0]?.toString()}`)
  }

  await response()
  await must('SELECT INBOX')
  return {
    async keep(raw) {
      await must('STORE 1:* +FLAGS.SILENT (\\Deleted)').catch(() => undefined)
      await must('EXPUNGE')
      await must(`APPEND INBOX {${raw.length}+}\r\n`, raw)
      await must('NOOP')
    },
    async fetch(items) {
      const { isOk, responses } = await command(`FETCH 1 (${items.join(' ')})`)
      if (!isOk) return undefined
      const found = new Map<string, ImapValue>()
      for (const each of responses) {
        const [, , kind, pairs] = readValues(each)
        if (kind !== 'FETCH' || !Array.isArray(pairs)) continue
        for (let i = 0; i + 1 < pairs.length; i += 2) found.set(String(pairs[i]), pairs[i + 1] ?? null)
      }
      return found
    },
    async append(raw, date) {
      await must(`APPEND INBOX "${date}" {${raw.length}+}\r\n`, raw)
    },
    async ask(line) {
      const { isOk, responses } = await command(line)
      if (!isOk) throw new Error(`Dovecot refuses ${line}`)
      return responses.map((each) => each.toString('latin1').trimEnd())
    },
    async stop() {
      child.stdin.end()
      await ended
      if (given === undefined) await mailbox.remove()
    },
  }
}
