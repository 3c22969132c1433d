/** What proves to an authority that a name is ours, over HTTP (RFC 8555 §8.3): in memory only, since an order ends with the process that began it. */
import type { HttpChallenges } from './types.js'

export interface OpenChallenges extends HttpChallenges {
  /** @returns takes it back */
  open(token: string, answer: string): () => void
}

export function createHttpChallenges(): OpenChallenges {
  const answers = new Map<string, string>()
  return {
    answerOf: (token) => answers.get(token),
    open(token, answer) {
      answers.set(token, answer)
      return () => void answers.delete(token)
    },
  }
}
