/** Sessions that are signed in, by account. */

export type AccountSessions = ReturnType<typeof createAccountSessions>

export function createAccountSessions(most: number) {
  const open = new Map<string, number>()
  return {
    /** @returns false if the account has as many as it may */
    enter(account: string): boolean {
      const count = open.get(account) ?? 0
      if (count >= most) return false
      open.set(account, count + 1)
      return true
    },
    leave(account: string): void {
      const left = (open.get(account) ?? 1) - 1
      if (left > 0) open.set(account, left)
      else open.delete(account)
    },
  }
}
