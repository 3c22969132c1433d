/**
 * Quantiles of bucketed counts, estimated as in Prometheus: values are assumed to be spread evenly within a bucket.
 *
 * @param share in (0, 1], such as 0.95
 * @param bounds the upper end of each bucket but the last, rising
 * @param counts per bucket; one more than bounds, for all greater values
 * @returns in the unit of the bounds; the highest bound for greater values; null without counts
 */

export function quantile(share: number, bounds: readonly number[], counts: readonly number[]): number | null {
  const total = counts.reduce((sum, each) => sum + each, 0)
  if (total === 0) return null
  const rank = share * total
  let below = 0
  for (const [at, upper] of bounds.entries()) {
    const inside = counts[at] ?? 0
    if (inside > 0 && below + inside >= rank) {
      const lower = bounds[at - 1] ?? 0
      return lower + (upper - lower) * ((rank - below) / inside)
    }
    below += inside
  }
  return bounds.at(-1) ?? null
}
