/** Memory that all sessions share for what clients send. */
export class ByteBudget {
  #used = 0

  constructor(private readonly maxBytes: number) {}

  /** @returns false if there is no room now */
  take(bytes: number): boolean {
    if (this.#used + bytes > this.maxBytes) return false
    this.#used += bytes
    return true
  }

  give(bytes: number): void {
    this.#used -= bytes
  }

  get used(): number {
    return this.#used
  }
}
