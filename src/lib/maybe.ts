/** Values that are mostly there at once, such as cached ones: what follows runs in the same turn then, without a promise. */

/** A value, or a promise of it where something must be waited for. */
export type Maybe<T> = T | Promise<T>

/** Runs `next` with the value: now if it is there. An error of `next` is thrown, or rejects the promise. */
export function after<T, U>(value: Maybe<T>, next: (value: T) => Maybe<U>): Maybe<U> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** Like `after` for the value of `start`; runs `failed` with what `start` throws or rejects with. */
export function attempt<T, U>(
  start: () => Maybe<T>,
  next: (value: T) => Maybe<U>,
  failed: (error: unknown) => Maybe<U>,
): Maybe<U> {
  let value: Maybe<T>
  try {
    value = start()
  } catch (error) {
    return failed(error)
  }
  return value instanceof Promise ? value.then(next, failed) : next(value)
}
