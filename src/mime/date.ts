/** A date as in RFC 5322 §3.3, in UTC. */
export function mailDate(ms: number): string {
  return new Date(ms).toUTCString().replace('GMT', '+0000')
}
