/** Responses to HTTP challenges (RFC 8555 §8.3): in memory only, since an order ends with its process. */
import type { HttpChallenges } from './types.js'

export interface OpenChallenges extends HttpChallenges {
  /** @returns a function that removes it */
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
