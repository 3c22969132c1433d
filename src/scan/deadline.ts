/** One deadline for a whole request. @param work gets a signal that aborts at the deadline, with an Error as its reason */
export async function within<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new Error(`no response within ${ms} ms`)), ms)
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
  }
}
