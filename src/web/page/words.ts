/** Times, sizes and strangers' text, formatted for people. */
import { DAY, HOUR, MINUTE, timestamp } from '../../lib/clock.js'
import { html, type Html } from './html.js'

const KIB = 1024

/** `2 hours ago`, or `in 3 days`; the exact time is in the markup. */
export function moment(ms: number, now: number): Html {
  const text = distance(Math.abs(now - ms))
  const words = text === '' ? 'just now' : ms <= now ? `${text} ago` : `in ${text}`
  return html`<time datetime="${timestamp(ms)}" title="${timestamp(ms)}">${words}</time>`
}

/** `2026-11-21 20:45 UTC`. */
export function exactly(ms: number): Html {
  const text = timestamp(ms)
  return html`<time datetime="${text}">${text.slice(0, 10)} ${text.slice(11, 16)} UTC</time>`
}

export function size(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = Math.min(units.length - 1, bytes < KIB ? 0 : Math.floor(Math.log2(bytes) / 10))
  const amount = bytes / KIB ** power
  return `${power === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${units[power] ?? ''}`
}

export function count(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString('en-US')} ${n === 1 ? one : many}`
}

function distance(ms: number): string {
  if (ms < MINUTE) return ''
  if (ms < 2 * HOUR) return count(Math.round(ms / MINUTE), 'minute')
  if (ms < 2 * DAY) return count(Math.round(ms / HOUR), 'hour')
  return count(Math.round(ms / DAY), 'day')
}

/** Most text by far. */
const PRINTABLE_ASCII = /^[\n\x20-\x7e]*$/

/** Replaces control and format characters, which could disguise text. Line breaks stay. */
export function plain(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return text
  return text.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n]|\p{Cf}|\p{Cs}|[\u2028\u2029]/gu, '\ufffd')
}

/** In order of matching: most browsers name others too. */
const BROWSERS = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:HeadlessChrome|Chrome|CriOS|Chromium)\//],
  ['Safari', /\bSafari\//],
] as const
const SYSTEMS = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const

/** Readable name of a browser by its `User-Agent`: `Firefox on Windows`. */
export function browserName(userAgent: string): string {
  const [browser] = BROWSERS.find(([, pattern]) => pattern.test(userAgent)) ?? ['Unknown browser']
  const [system] = SYSTEMS.find(([, pattern]) => pattern.test(userAgent)) ?? []
  return system === undefined ? browser : `${browser} on ${system}`
}
