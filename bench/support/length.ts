/** How long a bench runs. With `--short` each one runs on a little mail, to see that it works; its figures then mean nothing. */
export const isShort = process.argv.includes('--short')

/**
 * @param setting an environment variable that overrides both
 * @returns `short` with `--short`, else `full`
 */
export function lengthOf(full: number, short: number, setting?: string): number {
  const set = setting === undefined ? undefined : process.env[setting]
  return Number(set ?? (isShort ? short : full))
}

export const messagesOf = (full: number, short: number): number => lengthOf(full, short, 'BENCH_MESSAGES')
export const roundsOf = (full: number): number => lengthOf(full, 1, 'BENCH_ROUNDS')
