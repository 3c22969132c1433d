/** Runs the process that reads a data folder for `restante verify`, and explains how it ended. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { DamagedFolderError, examineDataFolder, storeFile } from '../../store/folder/data-folder.js'
import { isShared } from '../../ops/database/engine.js'
import { SCHEMA_VERSION } from '../../store/schema-version.js'
import { FINDINGS, type Finding, type FindingKind, type Verified } from '../../ops/verify/families/types.js'
import { CommandError, EXIT } from '../terminal/command.js'
import { verifyMessageSchema, type VerifyJob, type VerifyMessage } from './verify-messages.js'

const PROGRAM = fileURLToPath(new URL('./verify-process.js', import.meta.url))

/** Signals of a process that reads a damaged database, with their meanings. */
const SIGNALS: Partial<Record<NodeJS.Signals, string>> = {
  SIGBUS: 'a page of the file is not there: it was cut short while it was read, or the disk cannot be read',
  SIGSEGV: 'a page of the file has other bytes than were written, and leads nowhere',
  SIGABRT: 'a page of the file has other bytes than were written',
  SIGFPE: 'a page of the file has other bytes than were written',
  SIGILL: 'a page of the file has other bytes than were written',
}

export type OnMessage = (message: Extract<VerifyMessage, { about: 'pages' | 'progress' }>) => void

export interface VerifiedStore extends Verified {
  /** The form of what is stored, if it is one before that of this version. */
  form?: number | undefined
}

/**
 * Verifies a data folder. A database that cannot be opened, or kills its reader, is a finding.
 *
 * @param dkimDir shows whether the folder was ever used
 * @throws CommandError if the folder was never used, has a form that this program does not read, or the reading was interrupted
 */
export async function verifyFolder(job: VerifyJob, dkimDir: string, onMessage: OnMessage): Promise<VerifiedStore> {
  const { dataDir } = job
  const shared = isShared(job)
  const file = storeFile(dataDir)
  try {
    if (!shared && (await examineDataFolder({ dataDir, dkimDir }, { pages: false })) === 'new')
      throw new CommandError(EXIT.failed, `${dataDir} holds no data: no daemon was ever started on it.`)
  } catch (error) {
    if (!(error instanceof DamagedFolderError)) throw error
    return only([finding('store-damaged', dataDir, error.problem)])
  }
  const found: Finding[] = []
  let more = 0
  let verified: VerifiedStore | undefined
  let other: OtherForm | undefined
  let unreachable: string | undefined
  const child = fork(PROGRAM, [JSON.stringify(job)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  child.on('message', (sent) => {
    const message = verifyMessageSchema.parse(sent)
    switch (message.about) {
      case 'pages':
      case 'progress':
        return onMessage(message)
      case 'faults':
        found.push(...message.faults.map((fault) => finding('store-page', file, fault)))
        more += message.more
        return
      case 'unreadable':
        found.push(finding('store-damaged', file, `the database cannot be read: ${message.message}`))
        return
      case 'form':
        other = message
        return
      case 'unreachable':
        unreachable = message.message
        return
      case 'done':
        verified = { ...message.verified, ...(message.form === undefined ? {} : { form: message.form }) }
    }
  })
  await once(child, 'close')
  const signal = child.signalCode ?? undefined
  const words = signal && SIGNALS[signal]
  if (words !== undefined) {
    found.push(finding('store-damaged', file, `reading the database ended the process by ${signal}: ${words}`))
    return { ...only(found), more }
  }
  if (verified) return { ...verified, findings: [...found, ...verified.findings], more: verified.more + more }
  if (unreachable !== undefined) throw new CommandError(EXIT.failed, `${unreachable}.`)
  if (found.length > 0) return { ...only(found), more }
  if (other) throw new CommandError(EXIT.config, notVerified(shared ? 'the database of store.url' : dataDir, other))
  throw new CommandError(
    EXIT.failed,
    signal === undefined
      ? 'The process that read the data folder ended with an error; nothing is known of the folder.'
      : `The process that read the data folder was ended from outside by ${signal}; nothing is known of the folder. The log of the kernel ("dmesg") tells whether memory ran out.`,
  )
}

type OtherForm = Extract<VerifyMessage, { about: 'form' }>

function notVerified(place: string, { form, to, by }: OtherForm): string {
  const has = `What is stored in ${place} has form ${form}`
  const nothing = 'It was not verified, and nothing was changed.'
  if ((to ?? form) > SCHEMA_VERSION)
    return `${has}${to === undefined ? '' : `, and an upgrade to form ${to} was begun`}; this version knows form ${SCHEMA_VERSION}. ${nothing}\nIt takes Restante ${by ?? ''} or later.`
  if (to !== undefined)
    return `${has}, and its upgrade to form ${to} was begun and is not complete. ${nothing}\nComplete it first: "restante store migrate", or start the daemon (docs/operations.md).`
  return `${has}, which this version upgrades to form ${SCHEMA_VERSION}. ${nothing}\nUpgrade it first: "restante store migrate", or start the daemon (docs/operations.md). Or verify it with the version that was here before.`
}

function finding(kind: FindingKind, where: string, what: string): Finding {
  return { kind, where, what, repair: FINDINGS[kind].repair }
}

function only(findings: Finding[]): Verified {
  const nothing = { mailboxes: 0, messages: 0, threads: 0, events: 0, files: 0, tasks: 0, rows: 0, hashed: 0 }
  return { ...nothing, findings, more: 0 }
}
