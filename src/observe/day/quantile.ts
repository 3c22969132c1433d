/** Quantiles of what was counted in buckets, estimated as Prometheus does: within a bucket all are taken to be spread evenly. */

/**
 * @param share in (0, 1], such as 0.95
 * @param bounds the upper end of each bucket but the last, rising
 * @param counts how many fell into each; one more than bounds, for all above
 * @returns in the unit of the bounds; the highest bound for what is above it; null of nothing
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
