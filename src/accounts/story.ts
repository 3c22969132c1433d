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

export const STORY = key('story')

/** What the story needs of a message. */
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
const RARE = { novelHosts: 0.1, firstContacts: 0.1 }
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
  /** What it usually sends. */
  usual: [messages: number, fresh: number, linked: number, firstContacts: number, novelHosts: number, recipients: number]
  /** Most new recipients in hours, and in a day: of this sitting, and of those before. */
  top: [hours: number, day: number]
  peak: [hours: number, day: number]
  /** Silence before this sitting. */
  silentMs: number
  hosts: [hash: number, messages: number][]
  languages: [number: number, messages: number][]
}

const form = record<StoryRow>({
  at: plain(),
  since: plain(),
  sent: plain(),
  days: plain(),
  hours: plain(),
  day: plain(),
  usual: plain(),
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

/** The row once a message goes that was counted as held. */
export function learn(account: string, row: Uint8Array | undefined, told: Told, now: number): Uint8Array {
  const before = row ? seated(faded(unpackStory(row), now), now) : begun(now)
  return packed({ ...learnt(before, told, hashesOf(account, told), now), at: now })
}

function begun(now: number): StoryRow {
  return {
    ...{ at: now, since: now, sent: 0, days: 0, hours: [0, 0], day: [0, 0], usual: [0, 0, 0, 0, 0, 0] },
    ...{ top: [0, 0], peak: [0, 0], silentMs: 0, hosts: [], languages: [] },
  }
}

function faded(row: StoryRow, now: number): StoryRow {
  const left = (ms: number): number => Math.exp(-Math.max(0, now - row.at) / ms)
  const [hours, day, usual, peak] = [left(FADES.hours), left(FADES.day), left(FADES.usual), left(FADES.peak)]
  const [messages, fresh, linked, firstContacts, novelHosts, recipients] = row.usual
  return {
    ...row,
    hours: [row.hours[0] * hours, row.hours[1] * hours],
    day: [row.day[0] * day, row.day[1] * day],
    usual: [
      ...([messages * usual, fresh * usual, linked * usual] as const),
      ...([firstContacts * usual, novelHosts * usual, recipients * usual] as const),
    ],
    peak: [row.peak[0] * peak, row.peak[1] * peak],
    hosts: row.hosts.map(([hash, count]) => [hash, count * usual]),
    languages: row.languages.map(([number, count]) => [number, count * usual]),
  }
}

/** A sitting begins after a silence: what was sent at most in the one before is usual from then on, not while it lasts. */
function seated(row: StoryRow, now: number): StoryRow {
  const silentMs = now - row.at
  if (silentMs < SITTING_MS) return row
  return { ...row, silentMs, top: [0, 0], peak: [Math.max(row.peak[0], row.top[0]), Math.max(row.peak[1], row.top[1])] }
}

function counted(row: StoryRow, { newRecipients }: Told): StoryRow {
  const plus = ([messages, fresh]: [number, number]): [number, number] => [messages + 1, fresh + newRecipients]
  return { ...row, hours: plus(row.hours), day: plus(row.day) }
}

function learnt(row: StoryRow, told: Told, hashes: readonly number[], now: number): StoryRow {
  const { recipients, newRecipients, language } = told
  const [messages, fresh, linked, firstContacts, novelHosts, all] = row.usual
  const isLinked = hashes.length > 0
  const isFirst = isLinked && newRecipients > 0
  // Of the first links each is to a new host.
  const isNovel = linked >= LINKS_BEFORE_NOVEL && hashes.some((hash) => !isIn(row.hosts, hash))
  const isNewDay = row.sent === 0 || Math.floor(now / DAY) !== Math.floor(row.at / DAY)
  return {
    ...row,
    sent: row.sent + 1,
    days: row.days + Number(isNewDay),
    usual: [
      ...([messages + 1, fresh + newRecipients, linked + Number(isLinked)] as const),
      ...([firstContacts + Number(isFirst), novelHosts + Number(isNovel), all + recipients] as const),
    ],
    top: [Math.max(row.top[0], row.hours[1]), Math.max(row.top[1], row.day[1])],
    hosts: hashes.slice(0, MAX_HOSTS_LEARNT).reduce((list, hash) => withOne(list, hash, MAX_HOSTS), row.hosts),
    languages:
      language === undefined ? row.languages : withOne(row.languages, LANGUAGES.indexOf(language), MAX_LANGUAGES),
  }
}

type Counts = readonly [what: number, messages: number][]

const isIn = (list: Counts, what: number): boolean => list.some(([each]) => each === what)

/** In a list that is full it takes the place of the rarest. */
function withOne(list: Counts, what: number, most: number): [number, number][] {
  if (isIn(list, what)) return list.map(([each, count]) => [each, each === what ? count + 1 : count])
  const kept = [...list].sort(([, a], [, b]) => b - a).slice(0, most - 1)
  return [...kept, [what, 1]]
}

function departureOf(row: StoryRow, told: Told, hashes: readonly number[], now: number): Story | undefined {
  if (row.sent < PAST.messages || row.days < PAST.days) return undefined
  const [messages, , linked, firstContacts, novelHosts, recipients] = row.usual
  const story: Story = {}
  const burst = burstOf(row, told, now)
  if (burst) story.burst = burst
  const novel = hashes.flatMap((hash, place) => (isIn(row.hosts, hash) ? [] : (told.hosts[place] ?? [])))
  if (novel.length > 0 && novelHosts <= RARE.novelHosts * linked) {
    story.newHosts = novel.slice(0, MAX_HOSTS_NAMED)
    const share = messages > 0 ? firstContacts / messages : 0
    if (told.newRecipients > 0 && share < RARE.firstContacts) story.firstContacts = { share: Math.round(100 * share) / 100 }
  }
  const newLanguage = newLanguageOf(row, told.language)
  if (newLanguage) story.newLanguage = newLanguage
  const usual = messages > 0 ? recipients / messages : 1
  if (told.recipients >= MANY_RECIPIENTS && told.recipients >= MANY_TIMES * usual)
    story.fewRecipients = { usual: Math.max(1, Math.round(usual)) }
  return Object.keys(story).length > 0 ? story : undefined
}

/** With the message, compared with a week and with the most so far. */
function burstOf(row: StoryRow, { newRecipients }: Told, now: number): Story['burst'] {
  const silentDays = Math.floor(row.silentMs / DAY)
  const [messages, fresh] = [perWeek(row, 0, now), perWeek(row, 1, now)]
  const [hours, day] = [row.hours[1] + newRecipients, row.day[1] + newRecipients]
  const ofHours = hours / Math.max(LEAST.hours, fresh, row.peak[0])
  const ofDay = day / Math.max(LEAST.day, 2 * fresh, row.peak[1])
  if (newRecipients > 0 && Math.max(ofHours, ofDay) >= BURST) {
    const [count, within, times] = ofHours >= ofDay ? [hours, 'hours' as const, ofHours] : [day, 'day' as const, ofDay]
    return { of: 'new recipients', count: Math.round(count), within, times: tenths(times), perWeek: Math.round(fresh), silentDays }
  }
  const times = (row.hours[0] + 1) / Math.max(LEAST.messages, messages)
  if (times < BURST) return undefined
  const count = Math.round(row.hours[0] + 1)
  return { of: 'messages', count, within: 'hours', times: tenths(times), perWeek: Math.round(messages), silentDays }
}

/** Without what is a day old at most: a burst is not usual for having begun. */
function perWeek({ usual, day, since }: StoryRow, what: 0 | 1, now: number): number {
  const weighed = FADES.usual * (1 - Math.exp(-Math.max(WEEK, now - since) / FADES.usual))
  return (Math.max(0, usual[what] - day[what]) * WEEK) / weighed
}

function newLanguageOf({ languages }: StoryRow, language: Language | undefined): Story['newLanguage'] {
  const [most] = [...languages].sort(([, a], [, b]) => b - a)
  const usual = most && LANGUAGES[most[0]]
  if (language === undefined || usual === undefined || languages.length >= MAX_LANGUAGES) return undefined
  return isIn(languages, LANGUAGES.indexOf(language)) ? undefined : { language, usual }
}

const hashesOf = (account: string, { hosts }: Told): number[] =>
  hosts.slice(0, MAX_HOSTS_READ).map((host) => parseInt(sha256Hex(`${account} ${host}`).slice(0, 8), 16))

const tenths = (value: number): number => Math.round(10 * value) / 10

/** Decimals are cut, so that a count takes five octets. */
function packed(row: StoryRow): Uint8Array {
  const cut = <T extends number[]>(counts: T): T => counts.map((count) => Math.round(100 * count) / 100) as T
  const { hours, day, usual, top, peak, hosts, languages } = row
  return pack(form, {
    ...row,
    ...{ hours: cut(hours), day: cut(day), usual: cut(usual), top: cut(top), peak: cut(peak) },
    ...{ hosts: hosts.map(cut), languages: languages.map(cut) },
  })
}
