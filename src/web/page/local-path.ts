/** The path to return to after signing in: local paths only, since it comes from an untrusted link. */

/** With it in a cookie and the fields that browsers send, a request stays below the 4 KiB that a head may have when it comes in pieces. */
const MAX_LENGTH = 1536

/**
 * @param text what the link says
 * @param origin of our own pages
 * @returns the path with its query, in the one form that every browser reads alike; undefined for anything that leads or might lead elsewhere
 */
export function localPath(text: string | null | undefined, origin: string): string | undefined {
  if (typeof text !== 'string' || text.length > MAX_LENGTH) return undefined
  // Browsers take a backslash for a slash, and leave tabs and line breaks out before they look.
  if (!text.startsWith('/') || /^\/\/|\\|[\p{Cc}\p{Cf}\p{Z}]/u.test(text)) return undefined
  if (!URL.canParse(text, origin)) return undefined
  const url = new URL(text, origin)
  const path = url.pathname + url.search
  // "/.//host" becomes "//host" once its dots are taken out.
  if (url.origin !== origin || path.startsWith('//') || path.length > MAX_LENGTH) return undefined
  return path
}
