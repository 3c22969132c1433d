/** Contents of an account's archive. No secrets: keys, connections and sessions as their owner sees them, without hashes and tokens. */
import { readPictureSenders } from '../../accounts/picture-senders.js'
import { passkeysOf } from '../../accounts/sign-in/passkeys.js'
import type { Sessions } from '../../accounts/sessions.js'
import type { Suppressions } from '../../accounts/suppressions.js'
import { accountPartition } from '../../accounts/record.js'
import type { Accounts, SignedIn } from '../../accounts/types.js'
import { ownDomainJson, ownDomainsOf } from '../domains/record.js'
import { timestamp } from '../../lib/clock.js'
import { allEntries } from '../../mailbox/settings/address-lists.js'
import { mailboxPartition } from '../../mailbox/keys.js'
import { toMailboxObject } from '../../mailbox/settings/mailbox-object.js'
import { DIRECTIONS, LIST_TYPES } from '../../mailbox/objects/set-types.js'
import { readSettings } from '../../mailbox/settings/settings.js'
import { shownText } from '../../mailbox/message.js'
import type { MailboxRecord } from '../../mailbox/mailbox-record.js'
import { readAll } from '../../mailbox/webhooks/webhooks.js'
import type { WebhookRecord } from '../../mailbox/webhooks/types.js'
import { walkMailbox, type Walk } from '../../mailbox/reading/export-walk.js'
import type { Connections } from '../../oauth/types.js'
import type { Blobs, Store } from '../../store/types.js'
import type { Entry } from './archive.js'
import { toMbox } from './mbox.js'
import { fileNameOf } from './names.js'
import { readmeOf } from './readme.js'

export interface ContentsDeps {
  store: Store
  blobs: Pick<Blobs, 'stream'>
  accounts: Pick<Accounts, 'get' | 'usage' | 'identities' | 'keys'>
  sessions: Pick<Sessions, 'list' | 'devices'>
  /** OAuth connections, if there are any. */
  connections?: Pick<Connections, 'list'> | undefined
  suppressions: Pick<Suppressions, 'list'>
}

const SUPPRESSIONS_PAGE = 100

export function contentsOf(
  deps: ContentsDeps,
  {
    accountId,
    mailboxes,
    at,
    signal,
    onMessage,
  }: {
    accountId: string
    /** State at the start of the export: later mail is left out. */
    mailboxes: readonly MailboxRecord[]
    at: number
    signal: AbortSignal
    /** After each message of the mbox files. */
    onMessage: (rawBytes: number) => Promise<void>
  },
): Entry[] {
  const walks = mailboxes.map((mailbox) => ({
    mailbox,
    name: fileNameOf(mailbox.address),
    walk: walkMailbox(deps, mailbox.id, mailbox.seq, signal),
  }))
  return [
    {
      path: 'README.txt',
      pieces: () =>
        later(async () =>
          readmeOf(
            at,
            mailboxes.map(({ address }) => address),
          ),
        ),
    },
    {
      path: 'metadata/account.json',
      pieces: () => later(async () => json(await accountOf(deps, accountId, mailboxes, at))),
    },
    { path: 'metadata/suppressions.json', pieces: () => jsonArray(suppressionsOf(deps, accountId)) },
    ...walks.map(({ mailbox, name, walk }) => ({
      path: `mail/${name}.mbox`,
      pieces: () => toMbox(walk.raws(), mailbox.address, onMessage),
    })),
    ...walks.flatMap(({ mailbox, name, walk }) => metadata(deps, mailbox, name, walk)),
  ]
}

function metadata(deps: ContentsDeps, mailbox: MailboxRecord, name: string, walk: Walk): Entry[] {
  return [
    {
      path: `metadata/${name}/mailbox.json`,
      pieces: () => later(async () => json(await mailboxOf(deps, mailbox))),
    },
    { path: `metadata/${name}/messages.json`, pieces: () => jsonArray(walk.messages()) },
    { path: `metadata/${name}/threads.json`, pieces: () => jsonArray(walk.threads()) },
    { path: `metadata/${name}/events.json`, pieces: () => jsonArray(walk.events()) },
    { path: `metadata/${name}/drafts.json`, pieces: () => jsonArray(walk.drafts()) },
  ]
}

async function accountOf(
  { store, accounts, sessions }: ContentsDeps,
  accountId: string,
  mailboxes: readonly MailboxRecord[],
  at: number,
): Promise<unknown> {
  const account = await accounts.get(accountId)
  return {
    exported_at: timestamp(at),
    account: account && {
      id: account.id,
      object: 'account',
      owner: account.owner,
      status: account.status,
      trust_level: account.trust,
      created_at: timestamp(account.createdAt),
    },
    mailboxes: mailboxes.map(({ id, address }) => ({ id, object: 'mailbox', address })),
    domains: (await store.read(accountPartition(accountId), ownDomainsOf)).map(ownDomainJson),
    usage: await accounts.usage(accountId),
    identities: (await accounts.identities(accountId)).map((identity) => ({
      ...signedIn(identity),
      first_signed_in_at: timestamp(identity.firstAt),
      last_signed_in_at: timestamp(identity.lastAt),
    })),
    passkeys: (await passkeysOf(store, accountId)).map(({ id, name, createdAt, lastUsedAt, identity }) => ({
      id,
      object: 'passkey',
      name,
      identity: signedIn(identity),
      created_at: timestamp(createdAt),
      last_used_at: lastUsedAt === null ? null : timestamp(lastUsedAt),
    })),
    sessions: (await sessions.list(accountId)).map((session) => ({
      id: session.id,
      object: 'session',
      identity: signedIn(session.identity),
      browser: session.userAgent,
      network: session.network,
      created_at: timestamp(session.createdAt),
      seen_at: timestamp(session.seenAt),
      expires_at: timestamp(session.expiresAt),
    })),
    picture_senders: (await store.read(accountPartition(accountId), readPictureSenders)).map((sender) => ({
      address: sender.address,
      object: 'picture_sender',
      created_at: timestamp(sender.at),
    })),
    devices: (await sessions.devices(accountId)).map((device) => ({
      browser: device.userAgent,
      first_seen_at: timestamp(device.firstAt),
      last_seen_at: timestamp(device.lastAt),
    })),
  }
}

function signedIn({ provider, subject, username, email, emailVerified }: SignedIn): Record<string, unknown> {
  return { provider, subject, username, email, email_verified: emailVerified }
}

async function mailboxOf({ store, accounts, connections }: ContentsDeps, mailbox: MailboxRecord): Promise<unknown> {
  const settings = await store.read(mailboxPartition(mailbox.id), readSettings)
  const keys = await accounts.keys(mailbox.id)
  const connected = mailbox.accountId === null ? [] : ((await connections?.list(mailbox.accountId)) ?? [])
  const webhooks: WebhookRecord[] = (await readAll(store, mailbox.id)).map(({ webhook }) => webhook)
  return {
    ...toMailboxObject(mailbox, settings),
    lists: await listsOf(store, mailbox.id),
    keys: keys.map((key) => ({
      id: key.id,
      object: 'key',
      name: key.name,
      scopes: key.scopes,
      created_at: timestamp(key.createdAt),
      last_used_at: key.lastUsedAt === null ? null : timestamp(key.lastUsedAt),
      expires_at: key.expiresAt === null ? null : timestamp(key.expiresAt),
    })),
    connections: connected
      .filter(({ mailboxId }) => mailboxId === mailbox.id)
      .map((each) => ({
        id: each.id,
        object: 'connection',
        client: each.client,
        scopes: each.scopes,
        created_at: timestamp(each.createdAt),
        last_used_at: each.lastUsedAt === null ? null : timestamp(each.lastUsedAt),
        expires_at: timestamp(each.expiresAt),
      })),
    webhooks: webhooks.map((webhook) => ({
      id: webhook.id,
      object: 'webhook',
      url: webhook.url,
      events: webhook.events,
      description: shownText(webhook.description),
      enabled: webhook.disabled === null,
      created_at: timestamp(webhook.createdAt),
    })),
  }
}

async function listsOf(store: Store, mailboxId: string): Promise<unknown> {
  const entries = DIRECTIONS.flatMap((direction) => LIST_TYPES.map((type) => ({ direction, type })))
  const lists: Record<string, unknown> = {}
  for (const list of entries) {
    const found = await allEntries(store, mailboxId, list)
    lists[`${list.direction}/${list.type}`] = found.map(({ entry, reason, createdAt }) => ({
      id: entry,
      object: 'list_entry',
      entry,
      reason,
      created_at: timestamp(createdAt),
    }))
  }
  return lists
}

async function* suppressionsOf({ suppressions }: ContentsDeps, accountId: string): AsyncGenerator<unknown> {
  for (let cursor: string | undefined; ;) {
    const page = await suppressions.list(accountId, { limit: SUPPRESSIONS_PAGE, cursor })
    yield* page.data
    if (page.next_cursor === null) return
    cursor = page.next_cursor
  }
}

/** One array with one object per line, to be read as a whole or line by line. */
export async function* jsonArray(objects: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  let before = '['
  for await (const object of objects) {
    yield Buffer.from(`${before}\n${JSON.stringify(object)}`)
    before = ','
  }
  yield Buffer.from(before === '[' ? '[]\n' : '\n]\n')
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}

async function* later(text: () => Promise<string>): AsyncGenerator<Buffer> {
  yield Buffer.from(await text())
}
