/** A position in a command, and the tokens of RFC 9051 §9 that are read from it. Every failure is a BadCommand that names the place. */
import { isAscii, isUtf8 } from 'node:buffer'
import { BadCommand, shown, type Refusal } from './refusal.js'
import type { LiteralSegment, Segment } from './segments.js'
import { tagOf } from './tag.js'

export interface ScannerOptions {
  /** After ENABLE of IMAP4rev2 or UTF8=ACCEPT (RFC 9051 §5.1, RFC 6855 §3): quoted strings and mailbox names are UTF-8. */
  utf8: boolean
  /** Of all sequence sets of the command together. */
  maxRanges: number
}

/** ATOM-CHAR. */
const ATOM = /[!#$&'+,\-./0-9:;<=>?@A-Z[^_`a-z|}~]+/y
/** ASTRING-CHAR. */
const ASTRING = /[!#$&'+,\-./0-9:;<=>?@A-Z[\]^_`a-z|}~]+/y
/** list-char: wildcards too. */
const PATTERN = /[!#$%&'*+,\-./0-9:;<=>?@A-Z[\]^_`a-z|}~]+/y
const DIGITS = /[0-9]+/y
/** What a sequence set is made of. */
const SET = /\$|[0-9*:,]+/y
const WORD = /[A-Z0-9.-]+/iy

export class Scanner {
  readonly #segments: readonly Segment[]
  readonly utf8: boolean
  #ranges: number
  #tag: string | undefined
  #index = 0
  #text = ''
  #at = 0
  /** Where the last token begins. */
  #token = { index: 0, at: 0 }

  /** @throws BadCommand if there is no tag */
  constructor(segments: readonly Segment[], { utf8, maxRanges }: ScannerOptions) {
    this.#segments = segments
    this.utf8 = utf8
    this.#ranges = maxRanges
    this.#load(0)
    const first = segments[0]
    const tag = first?.kind === 'text' ? tagOf(first.octets) : undefined
    if (tag === undefined) this.fail('no valid tag')
    this.#tag = tag
    this.#at = tag.length
  }

  get tag(): string {
    return this.#tag ?? ''
  }

  /** True at the end of the command. */
  get isAtEnd(): boolean {
    return this.#index === this.#segments.length - 1 && this.#at === this.#text.length
  }

  /** True if all segments are read, the last of which is a literal: one that was announced and is still to come. */
  get isPastLiteral(): boolean {
    return this.#index >= this.#segments.length
  }

  /** True before such a literal. */
  get isBeforeLastLiteral(): boolean {
    return this.#at === this.#text.length && this.#index === this.#segments.length - 2
  }

  /** @throws BadCommand that names the position */
  fail(text: string, refusal: Omit<Refusal, 'text'> = { status: 'BAD' }): never {
    this.#fail(text, refusal, { index: this.#index, at: this.#at })
  }

  /** @throws BadCommand that names the beginning of the token that was read last */
  reject(text: string, refusal: Omit<Refusal, 'text'> = { status: 'BAD' }): never {
    this.#fail(text, refusal, this.#token)
  }

  end(): void {
    if (!this.isAtEnd) this.fail('expected the end of the command')
  }

  /** The next character; '' at the end of a line and before a literal. */
  peek(): string {
    return this.#text.charAt(this.#at)
  }

  /** True if the text continues like that, in any case. */
  looksAt(text: string): boolean {
    return this.#text.slice(this.#at, this.#at + text.length).toUpperCase() === text
  }

  /** Skips the text if it comes next, in any case. */
  skip(text: string): boolean {
    const found = this.looksAt(text)
    if (found) this.#at += text.length
    return found
  }

  expect(text: string): void {
    if (!this.skip(text)) this.fail(`expected ${text === ' ' ? 'a space' : shown(text)}`)
  }

  space(): void {
    this.expect(' ')
  }

  /** A keyword or part of one: letters, digits, dots and hyphens, in upper case. */
  word(what: string): string {
    return this.#match(WORD, what).toUpperCase()
  }

  /** One of a few keywords. */
  oneOf<T extends string>(words: readonly T[], what: string): T {
    const word = this.word(what)
    return words.find((known) => known === word) ?? this.reject(`unknown ${what} ${shown(word)}`)
  }

  atom(what: string): string {
    return this.#match(ATOM, what)
  }

  digits(what: string): string {
    return this.#match(DIGITS, what)
  }

  /** The text of a sequence set, counted against the ranges that the command may have. */
  set(what: string): string {
    const text = this.#match(SET, what)
    this.#ranges -= text.split(',').length
    return this.#ranges >= 0 ? text : this.reject('too many ranges in the sequence sets')
  }

  astring(what: string): string {
    return this.#isString() ? this.string(what) : this.#match(ASTRING, what)
  }

  /** list-mailbox: a mailbox name or a pattern. */
  pattern(what: string): string {
    return this.#isString() ? this.string(what) : this.#match(PATTERN, what)
  }

  /** A quoted string or literal, as text. 8-bit octets are accepted as UTF-8 in literals, in quoted strings if that is enabled. */
  string(what: string): string {
    if (this.peek() === '"') return this.quoted(what)
    const { octets, isLiteral8 } = this.literal(what)
    if (!octets || isLiteral8) this.reject(`${what} cannot be this kind of literal`)
    if (octets.includes(0)) this.reject(`NUL in ${what}`)
    if (!isUtf8(octets)) this.reject(`${what} is not UTF-8`)
    return octets.toString('utf8')
  }

  nstring(what: string): string | undefined {
    return this.#isString() || !this.skip('NIL') ? this.string(what) : undefined
  }

  /** Only `"` and `\` are escaped (RFC 9051 §9: QUOTED-CHAR). */
  quoted(what: string): string {
    this.#begin()
    this.expect('"')
    const start = this.#at
    let isEscaped = false
    for (; ; this.#at++) {
      const character = this.peek()
      if (character === '') this.reject(`${what} has no closing quote`)
      if (character === '"') break
      if (character !== '\\') continue
      isEscaped = true
      this.#at++
      if (this.peek() !== '"' && this.peek() !== '\\') this.fail('only " and \\ are escaped by a backslash')
    }
    const text = this.#text.slice(start, this.#at)
    this.#at++
    const octets = Buffer.from(isEscaped ? text.replace(/\\(.)/g, '$1') : text, 'latin1')
    if (!isAscii(octets) && !this.utf8) this.reject(`${what} has 8-bit characters in a quoted string`)
    if (!isUtf8(octets)) this.reject(`${what} is not UTF-8`)
    return octets.toString('utf8')
  }

  literal(what: string): LiteralSegment {
    this.#begin()
    const next = this.#segments[this.#index + 1]
    if (this.#at < this.#text.length || next?.kind !== 'literal') this.fail(`expected ${what}`)
    this.#load(this.#index + 2)
    return next
  }

  /** A list in parentheses, its items separated by single spaces. */
  list<T>(what: string, { min, max }: { min: number; max: number }, read: () => T): T[] {
    this.expect('(')
    const items: T[] = []
    while (!this.skip(')')) {
      if (items.length > 0) this.space()
      if (items.length === max) this.fail(`more than ${max} items: ${what}`)
      items.push(read())
    }
    if (items.length < min) this.fail(`empty list: ${what}`)
    return items
  }

  /** One item, or several in a list. */
  oneOrList<T>(what: string, max: number, read: () => T): T[] {
    return this.peek() === '(' ? this.list(what, { min: 1, max }, read) : [read()]
  }

  #isString(): boolean {
    return this.peek() === '"' || (this.#at === this.#text.length && this.#index < this.#segments.length - 1)
  }

  #fail(text: string, refusal: Omit<Refusal, 'text'>, { index, at }: { index: number; at: number }): never {
    const line = index > 0 ? ` after literal ${Math.ceil(index / 2)}` : ''
    throw new BadCommand(this.#tag, { ...refusal, text: `${text}, at column ${at + 1}${line}` })
  }

  #begin(): void {
    this.#token = { index: this.#index, at: this.#at }
  }

  #load(index: number): void {
    const segment = this.#segments[index]
    this.#index = index
    this.#text = segment?.kind === 'text' ? segment.octets.toString('latin1') : ''
    this.#at = 0
  }

  #match(pattern: RegExp, what: string): string {
    this.#begin()
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    if (found === undefined) this.fail(`expected ${what}`)
    this.#at += found.length
    return found
  }
}
