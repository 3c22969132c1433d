/** Long work in short turns of the event loop, that ends when nobody wants it any more. */
import { setImmediate as tick } from 'node:timers/promises'

/** Max time that the thread is kept. */
const TURN_MS = 2

export class TimedTurns {
  #ends = performance.now() + TURN_MS

  /** @param onTurn told how long each turn was */
  constructor(
    readonly signal: AbortSignal,
    private readonly onTurn?: (ms: number) => void,
  ) {}

  /** True when it is time to give way. Asking is cheap, but not free. */
  isOver = (): boolean => performance.now() > this.#ends

  /** Gives way if it is time. @throws the reason of the signal, once it is aborted */
  async next(): Promise<void> {
    this.signal.throwIfAborted()
    if (!this.isOver()) return
    this.onTurn?.(performance.now() - this.#ends + TURN_MS)
    await tick()
    this.#ends = performance.now() + TURN_MS
    this.signal.throwIfAborted()
  }
}
