/** Reads structured header fields (RFC 5322 §3.2): white space, comments, quoted strings. Nothing is refused: what is not closed ends with the text. */
export class Scanner {
  at = 0
  /** Content of the last comment that was skipped. */
  comment: string | null = null

  /** @param text unfolded */
  constructor(readonly text: string) {}

  get done(): boolean {
    return this.at >= this.text.length
  }

  peek(): string {
    return this.text.charAt(this.at)
  }

  /** Skips this character if it is next. */
  take(char: string): boolean {
    if (this.text.charAt(this.at) !== char) return false
    this.at++
    return true
  }

  /** Skips white space and comments. @returns true if there were any */
  skipBlanks(): boolean {
    const from = this.at
    for (;;) {
      const char = this.peek()
      if (char === '(') this.comment = this.#readComment()
      else if (char === ' ' || char === '\t') this.at++
      else return this.at > from
    }
  }

  /** Everything up to one of these characters. */
  until(ends: string): string {
    const from = this.at
    while (!this.done && !ends.includes(this.peek())) this.at++
    return this.text.slice(from, this.at)
  }

  /** A quoted string that starts here, without its quotes (RFC 5322 §3.2.4). */
  readQuoted(): string {
    const from = ++this.at
    while (!this.done && this.peek() !== '"') this.at += this.peek() === '\\' ? 2 : 1
    return unescaped(this.text.slice(from, this.at++))
  }

  /** RFC 5322 §3.2.2: comments nest. */
  #readComment(): string {
    const from = ++this.at
    for (let depth = 1; !this.done; this.at++) {
      const char = this.peek()
      if (char === '\\') this.at++
      else if (char === '(') depth++
      else if (char === ')' && --depth === 0) break
    }
    return unescaped(this.text.slice(from, this.at++)).trim()
  }
}

const unescaped = (text: string): string => (text.includes('\\') ? text.replace(/\\(.?)/g, '$1') : text)
