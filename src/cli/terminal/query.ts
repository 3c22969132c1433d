/** Parameters of a call to the daemon; those that are not given are left out. */
export function queryOf(parameters: Record<string, string | undefined>): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value)
  return query
}
