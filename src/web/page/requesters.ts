/** Names of the keys and connections that did something, as their owner knows them. One that is gone has its id. */
import type { Accounts, ApiKey } from '../../accounts/types.js'
import type { RequestedBy } from '../../mailbox/objects/objects.js'
import type { MailboxRecord } from '../../mailbox/mailbox-record.js'
import type { Connection, Connections } from '../../oauth/types.js'
import type { Visitor } from './page.js'
import { plain } from './words.js'

export interface Credentials {
  keys: readonly ApiKey[]
  connections: readonly Connection[]
}

export interface CredentialsDeps {
  accounts: Pick<Accounts, 'keys'>
  connections: Pick<Connections, 'list'>
}

/** Of a mailbox of the visitor's. Costs two reads. */
export async function credentialsOf(
  { id }: Pick<MailboxRecord, 'id'>,
  { session }: Visitor,
  { accounts, connections }: CredentialsDeps,
): Promise<Credentials> {
  const [keys, all] = await Promise.all([accounts.keys(id), connections.list(session.accountId)])
  return { keys, connections: all.filter(({ mailboxId }) => mailboxId === id) }
}

export function keyName({ keys }: Credentials, id: string): string {
  const key = keys.find((each) => each.id === id)
  return key ? `key “${plain(key.name)}”` : id
}

export function connectionName({ connections }: Credentials, id: string): string {
  const connection = connections.find((each) => each.id === id)
  return connection ? `connection “${plain(connection.client.name)}”` : id
}

export function requesterName({ type, key_id: id }: RequestedBy, known: Credentials): string {
  switch (type) {
    case 'key':
      return keyName(known, id ?? 'a key')
    case 'connection':
      return connectionName(known, id ?? 'a connection')
    case 'session':
      return 'you, on these pages'
  }
}
