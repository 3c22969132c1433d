/** A mail program that knows only what the server has told it, and objects when that makes no sense. */
import type { Random } from '../../support/random.js'
import type { Client } from '../session/server.js'

export type Kind = 'rev1' | 'condstore' | 'qresync' | 'notify' | 'notify-delayed'
export const KINDS: readonly Kind[] = ['rev1', 'condstore', 'qresync', 'notify', 'notify-delayed']

/** Flags and keywords by UID, each as one sorted text. */
export type Flags = ReadonlyMap<number, string>

/** What a program keeps of a folder when it is away. */
interface Cached {
  validity: number
  modseq: number
  flags: Map<number, string>
}

/** Commands during which sequence numbers stay (RFC 9051 §7.5.1). */
const USES_NUMBERS = /^(?:FETCH|STORE|SEARCH|SORT|THREAD) /
const SETTABLE = ['\\Seen', '\\Flagged', '\\Answered', '\\Deleted', '$Forwarded', 'tag']

export class WireClient {
  folder: string | undefined
  #validity = 0
  /** UIDs by sequence number; undefined until it is told. */
  #uids: (number | undefined)[] = []
  #flags = new Map<number, string>()
  /** Nothing up to here is missing. */
  #modseq = 0
  /** The highest modseq that was told, also within commands that leave news out. */
  #told = 0
  /** What it knows of the folder that it is selecting. */
  #coming: Cached | undefined
  readonly #cache = new Map<string, Cached>()

  constructor(
    readonly kind: Kind,
    private readonly connect: () => Promise<Client>,
    private client: Client,
  ) {}

  static async start(kind: Kind, connect: () => Promise<Client>): Promise<WireClient> {
    const self = new WireClient(kind, connect, await connect())
    await self.#enable()
    return self
  }

  get #keeps(): boolean {
    return this.kind === 'qresync' || this.kind === 'notify'
  }

  /** Its sequence numbers change between commands. */
  get #usesUidsOnly(): boolean {
    return this.kind === 'notify'
  }

  get count(): number {
    return this.#uids.length
  }

  /** What it knows of the selected folder. */
  get known(): Flags {
    return this.#flags
  }

  async #enable(): Promise<void> {
    if (this.#keeps) await this.say('ENABLE QRESYNC')
    else if (this.kind !== 'rev1') await this.say('ENABLE CONDSTORE')
    const events = '(MessageNew (UID FLAGS) MessageExpunge FlagChange)'
    if (this.kind === 'notify') await this.say(`NOTIFY SET (selected ${events})`)
    if (this.kind === 'notify-delayed') await this.say(`NOTIFY SET (selected-delayed ${events})`)
  }

  /** @returns the tagged response */
  async say(command: string): Promise<string> {
    return this.#take(command, await this.client.say(command))
  }

  #take(command: string, lines: string[]): string {
    for (const line of lines.slice(0, -1)) this.#hear(line, command)
    const last = lines.at(-1) ?? ''
    if (!/^(?:OK|NO)\b/.test(last)) throw new Error(`${command}: ${last}`)
    return last
  }

  /** Takes a response as every program must, whenever it comes. */
  #hear(line: string, command: string): void {
    const [, number, word] = /^(\d+) (EXISTS|EXPUNGE|FETCH)/.exec(line) ?? []
    const [, code, value] = /^OK \[(UIDVALIDITY|HIGHESTMODSEQ|CLOSED) ?(\d*)\]/.exec(line) ?? []
    const [, isEarlier, set] = /^VANISHED (\(EARLIER\) )?(\S+)$/.exec(line) ?? []
    if (word === 'EXISTS') this.#exists(Number(number), line)
    else if (word === 'EXPUNGE') {
      if (USES_NUMBERS.test(command)) throw new Error(`${line} within ${command}`)
      if (this.#keeps) throw new Error('EXPUNGE in place of VANISHED')
      this.#leave(Number(number) - 1, line)
    } else if (word === 'FETCH') this.#fetched(Number(number), line)
    else if (set !== undefined) {
      if (isEarlier === undefined && USES_NUMBERS.test(command)) throw new Error(`${line} within ${command}`)
      for (const uid of numbersOf(set)) {
        const at = this.#uids.indexOf(uid)
        if (at !== -1) this.#leave(at, line)
        else if (isEarlier === undefined) this.#leave(this.#unknownAt(uid), line)
        else this.#flags.delete(uid)
      }
    } else if (code === 'UIDVALIDITY') this.#validity = Number(value)
    else if (code === 'HIGHESTMODSEQ') this.#told = Number(value)
    else if (code === 'CLOSED') this.#open(this.#coming)
    else if (/^BYE/.test(line)) throw new Error(line)
  }

  #exists(count: number, line: string): void {
    if (count < this.#uids.length) throw new Error(`${line}: it knows of ${this.#uids.length}`)
    while (this.#uids.length < count) this.#uids.push(undefined)
  }

  #leave(at: number, line: string): void {
    if (at < 0 || at >= this.#uids.length) throw new Error(`${line}: it knows of ${this.#uids.length}`)
    const [uid] = this.#uids.splice(at, 1)
    if (uid !== undefined) this.#flags.delete(uid)
  }

  /** The place of a message whose UID was not told: between those with lower and higher ones. */
  #unknownAt(uid: number): number {
    return this.#uids.findIndex(
      (known, at) =>
        known === undefined &&
        this.#uids.slice(0, at).every((before) => (before ?? 0) < uid) &&
        this.#uids.slice(at).every((after) => (after ?? Infinity) > uid),
    )
  }

  #fetched(number: number, line: string): void {
    if (number > this.#uids.length) throw new Error(`${line}: it knows of ${this.#uids.length}`)
    const [, uid] = /\bUID (\d+)/.exec(line) ?? []
    const [, flags] = /\bFLAGS \(([^)]*)\)/.exec(line) ?? []
    const [, modseq] = /\bMODSEQ \((\d+)\)/.exec(line) ?? []
    const known = this.#uids[number - 1]
    if (uid !== undefined) {
      if (known !== undefined && known !== Number(uid)) throw new Error(`${line}: it was UID ${known}`)
      this.#uids[number - 1] = Number(uid)
    }
    const owner = this.#uids[number - 1]
    if (flags !== undefined && owner !== undefined) this.#flags.set(owner, sorted(flags.split(' ')))
    if (modseq !== undefined) this.#told = Math.max(this.#told, Number(modseq))
  }

  async select(folder: string): Promise<void> {
    this.#leaveFolder()
    const kept = this.#cache.get(folder)
    // Until CLOSED, what is told is of the folder before.
    if (this.folder === undefined) this.#open(kept)
    else this.#coming = kept
    const asks = this.#keeps && kept ? ` (QRESYNC (${kept.validity} ${kept.modseq}))` : ''
    const lines = await this.client.say(`SELECT ${folder}${asks}`)
    // What is known has no numbers yet: those that the server names are told with their UIDs.
    const last = this.#take(`SELECT ${folder}`, lines)
    if (!last.startsWith('OK')) throw new Error(last)
    this.folder = folder
    if (asks === '' || kept?.validity !== this.#validity) {
      this.#flags.clear()
      await this.#learn('1:*')
    } else {
      // QRESYNC is exact: what is left and what was told is all that is there.
      const uids = [...this.#flags.keys()].sort((a, b) => a - b)
      if (uids.length !== this.#uids.length)
        throw new Error(`${folder}: ${this.#uids.length} are there, and it knows ${uids.join()}\n${lines.join('\n')}`)
      for (const [i, uid] of uids.entries())
        if ((this.#uids[i] ?? uid) !== uid) throw new Error(`${folder}: message ${i + 1} is not UID ${uid}`)
      this.#uids = uids
    }
    this.#modseq = this.#told
  }

  #open(kept: Cached | undefined): void {
    this.#uids = []
    this.#flags = new Map(kept?.flags)
    this.#told = 0
  }

  async #learn(set: string): Promise<void> {
    if (this.#uids.length > 0) await this.say(`UID FETCH ${set} (FLAGS)`)
    if (this.#uids.includes(undefined)) await this.say('UID FETCH 1:* (FLAGS)')
  }

  /** Catches up: after this it must know all. */
  async catchUp(): Promise<void> {
    if (this.folder === undefined) return
    await this.say('NOOP')
    if (this.#uids.includes(undefined)) await this.#learn(`${Math.max(0, ...this.#uids.map((uid) => uid ?? 0)) + 1}:*`)
    await this.say('NOOP')
    const uids = this.#uids.map((uid) => uid ?? 0)
    if (uids.some((uid, i) => uid <= (uids[i - 1] ?? 0))) throw new Error(`UIDs do not ascend: ${uids.join()}`)
    this.#modseq = Math.max(this.#modseq, this.#told)
  }

  #leaveFolder(): void {
    if (this.folder === undefined || !this.#keeps) return
    const isWhole = !this.#uids.includes(undefined)
    if (isWhole) this.#cache.set(this.folder, { ...this.#kept(), flags: new Map(this.#flags) })
    else this.#cache.delete(this.folder)
  }

  #kept(): { validity: number; modseq: number } {
    return { validity: this.#validity, modseq: this.#modseq }
  }

  /** The connection breaks, perhaps within a command; then it comes back, to the same folder. */
  async breakOff(command: string | undefined): Promise<void> {
    if (command !== undefined) this.client.write(`z ${command}\r\n`)
    this.client.drop()
    this.#leaveFolder()
    const { folder } = this
    this.folder = undefined
    this.client = await this.connect()
    await this.#enable()
    if (folder !== undefined) await this.select(folder)
  }

  /** A random command on some of the messages; the server may refuse it, but must understand it. */
  async act(random: Random, folders: readonly string[]): Promise<void> {
    const below = (n: number): number => Math.floor(random() * n)
    const pick = <T>(all: readonly [T, ...T[]] | readonly T[]): T => all[below(all.length)] as T
    const chosen = this.#uids.flatMap((uid, i) => (uid !== undefined && below(3) === 0 ? [{ uid, number: i + 1 }] : []))
    const isUid = this.#usesUidsOnly || below(2) === 0
    const set = chosen.map(({ uid, number }) => (isUid ? uid : number)).join()
    const prefix = isUid ? 'UID ' : ''
    if (chosen.length === 0) {
      const raw = `From: a@example.org\r\nSubject: ${below(1e9)}\r\n\r\n`
      await this.say(`APPEND ${pick(folders)} (${pick(SETTABLE)}) {${raw.length}+}\r\n${raw}`)
      return
    }
    const flags = SETTABLE.filter(() => below(3) === 0)
    const mode = pick(['+', '-', ''])
    switch (below(8)) {
      case 0:
        await this.say(`${prefix}FETCH ${set} (FLAGS)`)
        return
      case 1:
        await this.say(`${prefix}FETCH ${set} (BODY[TEXT])`)
        return
      case 2:
        await this.#storeSilent(`${prefix}STORE ${set} ${mode}FLAGS.SILENT (${flags.join(' ')})`, chosen, mode, flags)
        return
      case 3:
      case 4:
        await this.say(`${prefix}STORE ${set} ${mode}FLAGS (${flags.join(' ')})`)
        return
      case 5:
        await this.say(`${prefix}${pick(['COPY', 'MOVE'])} ${set} ${pick(folders)}`)
        return
      case 6:
        await this.say(isUid ? `UID EXPUNGE ${set}` : 'EXPUNGE')
        return
      default:
        await this.say(`${prefix}SEARCH RETURN (ALL) UNSEEN`)
    }
  }

  /** Without an answer it takes the change for granted, on top of all that it was told until then. */
  async #storeSilent(
    command: string,
    chosen: readonly { uid: number }[],
    mode: string,
    flags: readonly string[],
  ): Promise<void> {
    const lines = await this.client.say(command)
    const change = (uid: number): void => {
      // It may have gone meanwhile.
      if (!this.#flags.has(uid)) return
      const before = new Set(this.#flags.get(uid)?.split(' '))
      const after =
        mode === '' ? flags : mode === '+' ? [...before, ...flags] : [...before].filter((flag) => !flags.includes(flag))
      this.#flags.set(uid, sorted(after))
    }
    const isDone = lines.at(-1)?.startsWith('OK')
    const uids = new Set(isDone ? chosen.map(({ uid }) => uid) : [])
    // Without modseqs all that is told comes from this command; with them a response without flags says when it was carried out.
    if (this.kind === 'rev1') {
      for (const uid of uids) change(uid)
      this.#take(command, lines)
      return
    }
    const told = new Set<number>()
    for (const line of lines.slice(0, -1)) {
      this.#hear(line, command)
      const uid = Number(/ FETCH \(UID (\d+)/.exec(line)?.[1])
      if (uids.has(uid) && !line.includes('FLAGS')) change(uid)
      told.add(uid)
    }
    for (const uid of uids) if (!told.has(uid)) change(uid)
    this.#take(command, lines.slice(-1))
  }
}

export const sorted = (flags: Iterable<string>): string =>
  [...new Set(flags)]
    .filter((flag) => flag !== '')
    .sort()
    .join(' ')

function numbersOf(set: string): number[] {
  return set.split(',').flatMap((run) => {
    const [first = 0, last = first] = run.split(':').map(Number)
    return Array.from({ length: last - first + 1 }, (_, i) => first + i)
  })
}
