/**
 * The account's own story, in one row of at most about 700 bytes: how much it sends, to how many new recipients, how fast, in which languages and with links to
 * which hosts. Counts fade exponentially; hosts are hashes. From it the guard is told how a message departs from all that (guard/signals/story.ts).
 */
import { LANGUAGES, type Language } from '../guard/text/language.js'
import type { Story } from '../guard/types.js'
import { DAY, HOUR } from '../lib/clock.js'
import { sha256Hex } from '../lib/ids.js'
import { key } from '../store/keys.js'
import { pack, plain, record, unpack } from '../store/packed.js'
import type { Transaction } from '../store/types.js'

export const STORY = key('story')

/** Links and language of a message, as the story compares them. */
export interface Traits {
  /** Domains of its links. */
  hosts: readonly string[]
  language: Language | undefined
}

export interface Told extends Traits {
  recipients: number
  newRecipients: number
}

export const MAX_HOSTS = 16
export const MAX_LANGUAGES = 6
const MAX_HOSTS_READ = 20
const MAX_HOSTS_LEARNT = 8
const MAX_HOSTS_NAMED = 3
const LINKS_BEFORE_NOVEL = 3

/** A count falls to 37 % in this time. */
const FADES = { hours: 2 * HOUR, day: DAY, usual: 40 * DAY, peak: 90 * DAY }
const WEEK = 7 * DAY
/** A sitting of the account ends when it was silent for this long. */
const SITTING_MS = 12 * HOUR

/** A shorter past says nothing about what is usual. */
const PAST = { messages: 8, days: 3 }
/** Fewer are no burst, whatever is usual; the second for messages to whomever. */
const LEAST = { hours: 8, day: 16, messages: 20 }
/** Times what can be expected from which it is one. */
const BURST = 1.5
/** Shares of earlier messages below which such a one is unusual. */
const RARE = { novelHosts: 0.15, firstContacts: 0.2 }
const MANY_RECIPIENTS = 10
const MANY_TIMES = 5

/** Faded to the time `at`. */
interface StoryRow {
  /** The newest message; milliseconds since the epoch, as all times here. */
  at: number
  since: number
  /** Messages, and days with any (UTC), in all. */
  sent: number
  days: number
  /** Messages and new recipients in the last hours, and in a day. */
  hours: [messages: number, fresh: number]
  day: [messages: number, fresh: number]
  /** Totals that fade over weeks, and the part of them from the last day, which is left out of what is usual. */
  usual: Sums
  recent: Sums
  /** Most new recipients in hours, and in a day: of this sitting, and of those before. */
  top: [hours: number, day: number]
  peak: [hours: number, day: number]
  /** Silence before this sitting. */
  silentMs: number
  hosts: Seen[]
  languages: Seen[]
}

type Sums = [
  messages: number,
  fresh: number,
  linked: number,
  firstContacts: number,
  novelHosts: number,
  recipients: number,
]
/** A host's hash, or a language's number; the messages with it; when it was first seen, in hours. */
type Seen = [what: number, messages: number, since: number]

const form = record<StoryRow>({
  at: plain(),
  since: plain(),
  sent: plain(),
  days: plain(),
  hours: plain(),
  day: plain(),
  usual: plain(),
  recent: plain(),
  top: plain(),
  peak: plain(),
  silentMs: plain(),
  hosts: plain(),
  languages: plain(),
})

export const unpackStory = (row: Uint8Array): StoryRow => unpack(form, row)

/** A message measured by the story before it. */
export interface Measured {
  /** Undefined when all is as usual. */
  story: Story | undefined
  /** The row with the message counted. @param isGoing false for one that is held or blocked, which makes nothing usual */
  row(isGoing: boolean): Uint8Array
}

/** @param account its id, with which hosts are hashed @param row as stored; undefined before the first message */
export function measure(account: string, row: Uint8Array | undefined, told: Told, now: number): Measured {
  const hashes = hashesOf(account, told)
  const before = row ? seated(faded(unpackStory(row), now), now) : begun(now)
  return {
    story: departureOf(before, told, hashes, now),
    row(isGoing) {
      const after = counted(before, told)
      return packed({ ...(isGoing ? learnt(after, told, hashes, now) : after), at: now })
    },
  }
}

/** Within a transaction of the account that lets a message go which was counted as held: by now it is what the account sends. */
export async function learn(tx: Transaction, account: string, told: Told, now: number): Promise<void> {
  const row = await tx.get(STORY)
  const before = row ? seated(faded(unpackStory(row), now), now) : begun(now)
  tx.put(STORY, packed({ ...learnt(before, told, hashesOf(account, told), now), at: now }))
}

const mapped = <T extends number[]>(counts: T, change: (count: number, place: number) => number): T =>
  counts.map(change) as T
const times = <T extends number[]>(counts: T, factor: number): T => mapped(counts, (count) => count * factor)
const sum = <T extends number[]>(counts: T, others: T): T =>
  mapped(counts, (count, place) => count + (others[place] ?? 0))

function begun(now: number): StoryRow {
  return {
    ...{ at: now, since: now, sent: 0, days: 0, hours: [0, 0], day: [0, 0] },
    ...{
      usual: [0, 0, 0, 0, 0, 0],
      recent: [0, 0, 0, 0, 0, 0],
      top: [0, 0],
      peak: [0, 0],
      silentMs: 0,
      hosts: [],
      languages: [],
    },
  }
}

function faded(row: StoryRow, now: number): StoryRow {
  const left = (ms: number): number => Math.exp(-Math.max(0, now - row.at) / ms)
  const [hours, day, usual, peak] = [left(FADES.hours), left(FADES.day), left(FADES.usual), left(FADES.peak)]
  const fade = ([what, count, since]: Seen): Seen => [what, count * usual, since]
  return {
    ...row,
    ...{ hours: times(row.hours, hours), day: times(row.day, day), peak: times(row.peak, peak) },
    ...{ usual: times(row.usual, usual), recent: times(row.recent, day) },
    ...{ hosts: row.hosts.map(fade), languages: row.languages.map(fade) },
  }
}

/** A sitting begins after a silence: what was sent at most in the one before is usual from then on, not while it lasts. */
function seated(row: StoryRow, now: number): StoryRow {
  const silentMs = now - row.at
  if (silentMs < SITTING_MS) return row
  return { ...row, silentMs, top: [0, 0], peak: [Math.max(row.peak[0], row.top[0]), Math.max(row.peak[1], row.top[1])] }
}

function counted(row: StoryRow, { newRecipients }: Told): StoryRow {
  return { ...row, hours: sum(row.hours, [1, newRecipients]), day: sum(row.day, [1, newRecipients]) }
}

function learnt(row: StoryRow, told: Told, hashes: readonly number[], now: number): StoryRow {
  const { recipients, newRecipients, language } = told
  const isLinked = hashes.length > 0
  const isFirst = isLinked && newRecipients > 0
  // Of the first links each is to a new host.
  const isNovel =
    row.usual[2] >= LINKS_BEFORE_NOVEL && hashes.some((hash) => !row.hosts.some(([known]) => known === hash))
  const isNewDay = row.sent === 0 || Math.floor(now / DAY) !== Math.floor(row.at / DAY)
  const delta: Sums = [1, newRecipients, Number(isLinked), Number(isFirst), Number(isNovel), recipients]
  return {
    ...row,
    sent: row.sent + 1,
    days: row.days + Number(isNewDay),
    ...{ usual: sum(row.usual, delta), recent: sum(row.recent, delta) },
    top: [Math.max(row.top[0], row.hours[1]), Math.max(row.top[1], row.day[1])],
    hosts: withAll(row.hosts, hashes.slice(0, MAX_HOSTS_LEARNT), MAX_HOSTS, now),
    languages: withAll(row.languages, language === undefined ? [] : [LANGUAGES.indexOf(language)], MAX_LANGUAGES, now),
  }
}

/** One more of each; in a list that is full new ones take the place of the rarest. */
function withAll(list: readonly Seen[], added: readonly number[], most: number, now: number): Seen[] {
  const all = new Map(list.map((seen) => [seen[0], seen]))
  for (const what of added) {
    const [, count, since] = all.get(what) ?? [what, 0, Math.floor(now / HOUR)]
    if (!all.has(what) && all.size >= most) all.delete(byCount([...all.values()]).at(-1)?.[0] ?? what)
    all.set(what, [what, count + 1, since])
  }
  return [...all.values()]
}

const byCount = (list: readonly Seen[]): Seen[] => [...list].sort(([, a], [, b]) => b - a)

/** Known for at least a day, so that a burst does not make its own links usual. */
const isUsual = (list: readonly Seen[], what: number, now: number): boolean =>
  list.some(([known, , since]) => known === what && now >= since * HOUR + DAY)

function departureOf(row: StoryRow, told: Told, hashes: readonly number[], now: number): Story | undefined {
  if (row.sent < PAST.messages || row.days < PAST.days) return undefined
  const [messages, fresh, linked, firstContacts, novelHosts, recipients] = pastOf(row)
  const story: Story = {}
  const weekly = WEEK / (FADES.usual * (1 - Math.exp(-Math.max(WEEK, now - row.since) / FADES.usual)))
  const burst = burstOf(row, told, { messages: messages * weekly, fresh: fresh * weekly })
  if (burst) story.burst = burst
  const novel = hashes.flatMap((hash, place) => (isUsual(row.hosts, hash, now) ? [] : (told.hosts[place] ?? [])))
  if (novel.length > 0 && novelHosts <= RARE.novelHosts * linked) {
    story.newHosts = novel.slice(0, MAX_HOSTS_NAMED)
    const share = messages > 0 ? firstContacts / messages : 0
    if (told.newRecipients > 0 && share < RARE.firstContacts)
      story.firstContacts = { share: Math.round(100 * share) / 100 }
  }
  const newLanguage = newLanguageOf(row, told.language, now)
  if (newLanguage) story.newLanguage = newLanguage
  const usual = messages > 0 ? recipients / messages : 1
  if (told.recipients >= MANY_RECIPIENTS && told.recipients >= MANY_TIMES * usual)
    story.fewRecipients = { usual: Math.max(1, Math.round(usual)) }
  return Object.keys(story).length > 0 ? story : undefined
}

/** With the message, compared with a week and with the most so far. */
function burstOf(
  row: StoryRow,
  { newRecipients }: Told,
  { messages, fresh }: { messages: number; fresh: number },
): Story['burst'] {
  const silentDays = Math.floor(row.silentMs / DAY)
  const [hours, day] = [row.hours[1] + newRecipients, row.day[1] + newRecipients]
  const ofHours = hours / Math.max(LEAST.hours, fresh, row.peak[0])
  const ofDay = day / Math.max(LEAST.day, 2 * fresh, row.peak[1])
  if (newRecipients > 0 && Math.max(ofHours, ofDay) >= BURST) {
    const [count, within, times] = ofHours >= ofDay ? [hours, 'hours' as const, ofHours] : [day, 'day' as const, ofDay]
    return {
      of: 'new recipients',
      count: Math.round(count),
      within,
      times: tenths(times),
      perWeek: Math.round(fresh),
      silentDays,
    }
  }
  const ofMessages = (row.hours[0] + 1) / Math.max(LEAST.messages, messages)
  if (ofMessages < BURST) return undefined
  const count = Math.round(row.hours[0] + 1)
  return {
    of: 'messages',
    count,
    within: 'hours',
    times: tenths(ofMessages),
    perWeek: Math.round(messages),
    silentDays,
  }
}

/** The totals without the last day. */
const pastOf = ({ usual, recent }: StoryRow): Sums =>
  mapped(usual, (count, place) => Math.max(0, count - (recent[place] ?? 0)))

function newLanguageOf({ languages }: StoryRow, language: Language | undefined, now: number): Story['newLanguage'] {
  const [most] = byCount(languages)
  const usual = most && LANGUAGES[most[0]]
  if (language === undefined || usual === undefined || languages.length >= MAX_LANGUAGES) return undefined
  return usual === language || isUsual(languages, LANGUAGES.indexOf(language), now) ? undefined : { language, usual }
}

const hashesOf = (account: string, { hosts }: Told): number[] =>
  hosts.slice(0, MAX_HOSTS_READ).map((host) => parseInt(sha256Hex(`${account} ${host}`).slice(0, 8), 16))

const tenths = (value: number): number => Math.round(10 * value) / 10

/** Decimals are cut, so that a count takes five octets. */
function packed(row: StoryRow): Uint8Array {
  const cut = <T extends number[]>(counts: T): T => mapped(counts, (count) => Math.round(100 * count) / 100)
  const { hours, day, usual, recent, top, peak, hosts, languages } = row
  return pack(form, {
    ...row,
    ...{ hours: cut(hours), day: cut(day), usual: cut(usual), recent: cut(recent), top: cut(top), peak: cut(peak) },
    ...{ hosts: hosts.map(cut), languages: languages.map(cut) },
  })
}
