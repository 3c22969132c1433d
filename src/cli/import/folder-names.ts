/** Names that other programs give to the folders that every mailbox has. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  INBOX: ['inbox'],
  Drafts: ['drafts', 'draft', '[gmail]/drafts'],
  Sent: ['sent', 'sent mail', 'sent messages', 'sent items', 'sent-mail', '[gmail]/sent mail'],
  Junk: ['junk', 'spam', 'junk e-mail', 'junk email', 'bulk mail', '[gmail]/spam'],
  Trash: ['trash', 'deleted messages', 'deleted items', 'bin', '[gmail]/trash', '[gmail]/bin'],
  Archive: ['archive', 'archives', 'all mail', '[gmail]/all mail'],
}
const BY_NAME = new Map(
  Object.entries(KNOWN).flatMap(([name, others]) => others.map((other) => [other, name] as const)),
)

/** @param name with `/` between its levels; below INBOX as some servers have all folders, or not */
export function folderNamed(name: string): string {
  const own = name.replace(/^INBOX\/(?=.)/i, '')
  return BY_NAME.get(own.toLowerCase()) ?? own
}
