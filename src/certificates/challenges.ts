/** Responses to HTTP challenges (RFC 8555 §8.3): in memory only, since an order ends with its process. */
export type OpenChallenges = ReturnType<typeof createHttpChallenges>

export function createHttpChallenges() {
  const answers = new Map<string, string>()
  return {
    answerOf: (token: string): string | undefined => answers.get(token),
    /** @returns a function that removes it */
    open(token: string, answer: string): () => void {
      answers.set(token, answer)
      return () => void answers.delete(token)
    },
  }
}
