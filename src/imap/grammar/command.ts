/** A command with all it says (RFC 9051 §6, RFC 3501 §6), told apart by its name. */
import type { AppendCommand } from './append.js'
import type { ListCommand } from './list.js'
import type { MailboxCommand } from './mailboxes.js'
import type { MessageCommand } from './messages.js'
import type { NotifyCommand } from './notify.js'
import type { SearchCommand } from './search.js'
import type { SelectCommand } from './select.js'
import type { SignInCommand } from './sign-in.js'

/** Commands without arguments. */
export const BARE_NAMES = [
  'CAPABILITY',
  'NOOP',
  'LOGOUT',
  'STARTTLS',
  'NAMESPACE',
  'CHECK',
  'CLOSE',
  'UNSELECT',
  'IDLE',
] as const

export interface BareCommand {
  name: (typeof BARE_NAMES)[number]
}

export type UntaggedCommand =
  | BareCommand
  | SignInCommand
  | SelectCommand
  | MailboxCommand
  | ListCommand
  | AppendCommand
  | SearchCommand
  | MessageCommand
  | NotifyCommand

export type Command = UntaggedCommand & { tag: string }
