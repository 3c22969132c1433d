/** `restante account …`: list, show, suspend, delete. */
import {
  accountDetailsSchema,
  accountListSchema,
  accountSchema,
  deletionSchema,
  signInLinkSchema,
} from '../../../admin/accounts.js'
import { SCOPES } from '../../../accounts/types.js'
import type { z } from 'zod'
import { isSafeOrigin } from '../../../config/setting/setting.js'
import { askDaemon } from '../../terminal/admin.js'
import { CommandError, EXIT, type Command } from '../../terminal/command.js'
import { isAgreed } from '../../terminal/confirm.js'
import { json, printable, table } from '../../terminal/output.js'
import { queryOf } from '../../terminal/query.js'
import { describeTrust, trust } from './trust.js'

type Account = z.infer<typeof accountSchema>
type Details = z.infer<typeof accountDetailsSchema>

const NAMED = 'ACCOUNT is its id (acc_…), the email of its owner, or the address of one of its mailboxes.'

const list: Command = {
  name: 'account list',
  args: [],
  options: ['limit', 'json'],
  summary: 'list the accounts',
  about: "Asks the running daemon. The operator's own account comes first, then those with an owner, by email.",
  examples: ['restante account list', "restante account list --json | jq -r '.[].owner'"],
  async run({ options: { limit }, config, flags, print, note }) {
    const path = `/accounts?${queryOf({ limit })}`
    const { data, has_more: hasMore } = await askDaemon(config(), 'GET', path, accountListSchema)
    if (flags.json) {
      print(json(data))
    } else {
      const rows = data.map((account) => [
        account.id,
        account.owner ?? '',
        account.status,
        String(account.mailboxes),
        account.created_at,
      ])
      print(table(['ACCOUNT', 'OWNER', 'STATUS', 'MAILBOXES', 'CREATED'], rows))
    }
    if (hasMore) note('There are more; --limit N shows more.')
    return EXIT.ok
  },
}

const show: Command = {
  name: 'account show',
  args: ['ACCOUNT'],
  options: ['json'],
  summary: 'show one account',
  about: `Its status, who can sign in, its mailboxes and their keys. ${NAMED}`,
  examples: ['restante account show bob@example.com', 'restante account show ada@agents.example.com --json'],
  async run({ args: [account = ''], config, flags, print }) {
    const found = await askDaemon(config(), 'GET', `/accounts/show?${queryOf({ account })}`, accountDetailsSchema)
    print(flags.json ? json(found) : describe(found))
    return EXIT.ok
  },
}

const suspend: Command = {
  name: 'account suspend',
  args: ['ACCOUNT'],
  options: ['reason', 'json'],
  summary: 'stop an account from sending and reading',
  about: `Keys and sending are refused at once, queued mail is held, and mail still arrives. The owner gets a letter with the reason.\n${NAMED} Suspending again changes nothing.`,
  examples: ['restante account suspend bob@example.com --reason "Complaints about bulk mail; please write to us."'],
  async run({ args: [account], options: { reason }, config, flags, print }) {
    if (reason === undefined) {
      throw new CommandError(EXIT.usage, '"account suspend" needs --reason TEXT; the owner of the account reads it')
    }
    const answer = await askDaemon(config(), 'POST', '/accounts/suspend', accountSchema, { account, reason })
    print(flags.json ? json(answer) : suspended(answer))
    return EXIT.ok
  },
}

const reinstate: Command = {
  name: 'account reinstate',
  args: ['ACCOUNT'],
  options: ['json'],
  summary: 'end the suspension of an account',
  about: `Its keys work again, and held mail is released, a hundred messages a second. The owner gets a letter. ${NAMED}`,
  examples: ['restante account reinstate bob@example.com'],
  async run({ args: [account], config, flags, print }) {
    const answer = await askDaemon(config(), 'POST', '/accounts/reinstate', accountSchema, { account })
    if (flags.json) print(json(answer))
    else if (answer.status === 'active') print(`The account ${nameOf(answer)} is active.`)
    else print(`The account ${nameOf(answer)} is not suspended; it is about to be deleted.`)
    return EXIT.ok
  },
}

const remove: Command = {
  name: 'account delete',
  args: ['ACCOUNT'],
  options: ['yes', 'json'],
  summary: 'begin the deletion of an account',
  about: `Sending and keys stop at once. After 30 days the account is deleted for good, with its mailboxes and all mail; until then its owner can cancel.\n${NAMED} Shows what would be deleted and asks; in a script, give --yes.`,
  examples: ['restante account delete bob@example.com', 'restante account delete bob@example.com --yes'],
  async run(invocation) {
    const { args, config, flags, print } = invocation
    const [account = ''] = args
    const agreed = await isAgreed(invocation, async () => {
      const path = `/accounts/show?${queryOf({ account })}`
      const found = await askDaemon(config(), 'GET', path, accountDetailsSchema)
      const mailboxes = found.mailboxes === 1 ? '1 mailbox' : `${found.mailboxes} mailboxes`
      return `This would delete the account ${nameOf(found)} with ${mailboxes}.`
    })
    if (!agreed) return EXIT.failed
    const answer = await askDaemon(config(), 'POST', '/accounts/delete', deletionSchema, { account })
    if (flags.json) print(json(answer))
    else print(`The account ${answer.account_id} has stopped, and will be deleted at ${answer.ends_at}.`)
    return EXIT.ok
  },
}

const signIn: Command = {
  name: 'account sign-in',
  args: ['ACCOUNT'],
  options: ['json'],
  summary: 'make a link that signs a human in',
  about: `For a server without an identity provider: whoever opens the link first is signed in to the pages of the account in that browser, and can connect clients there. It works once and for 10 minutes, so give it to its human alone.\n${NAMED}`,
  examples: ['restante account sign-in ada@agents.example.com', 'restante account sign-in bob@example.com'],
  async run({ args: [account], config, flags, print, note }) {
    const settings = config()
    const answer = await askDaemon(settings, 'POST', '/accounts/sign-in', signInLinkSchema, { account })
    if (!isSafeOrigin(new URL(answer.url)))
      note(
        'Browsers keep no session at an address without TLS: set server.base_url to the https address of this server.',
      )
    if (flags.json) {
      print(json(answer))
    } else {
      print(answer.url)
      note(
        `It signs in to ${answer.owner === null ? answer.account_id : printable(answer.owner)}, once, until ${answer.expires_at}.`,
      )
    }
    return EXIT.ok
  },
}

export const accountCommands: readonly Command[] = [list, show, signIn, trust, suspend, reinstate, remove]

function nameOf({ id, owner }: Account): string {
  return owner === null ? id : `${printable(owner)} (${id})`
}

function suspended(account: Account): string {
  return `The account ${nameOf(account)} is suspended: ${printable(account.suspension?.reason ?? '')}`
}

function describe(account: Details): string {
  const { suspension, deletion } = account
  const lines = [
    `Account     ${account.id}`,
    `Owner       ${printable(account.owner ?? 'none with a verified email')}`,
    `Status      ${account.status}`,
    ...(suspension
      ? [
          `Suspended   ${suspension.at}${suspension.by === 'service' ? ', by itself' : ''}: ${printable(suspension.reason)}`,
        ]
      : []),
    ...(deletion ? [`Deletion    ends at ${deletion.ends_at}`] : []),
    `Created     ${account.created_at}`,
    ...describeTrust(account.trust),
  ]
  const identities = account.identities.map((each) => [
    each.provider,
    each.username ?? '',
    each.email === null ? '' : `${each.email}${each.email_verified ? '' : ' (not verified)'}`,
    each.last_sign_in_at,
  ])
  if (identities.length > 0) lines.push('', table(['PROVIDER', 'USER', 'EMAIL', 'LAST SIGN-IN'], identities))
  const mailboxes = account.shown_mailboxes.map((each) => [
    each.address,
    String(each.message_count),
    String(each.used_bytes),
    String(each.keys.length),
  ])
  if (mailboxes.length > 0) lines.push('', table(['MAILBOX', 'MESSAGES', 'BYTES', 'KEYS'], mailboxes))
  const unshown = account.mailboxes - mailboxes.length
  if (unshown > 0) lines.push(`and ${unshown} more`)
  const keys = account.shown_mailboxes.flatMap(({ address, keys: all }) =>
    all.map((key) => [
      key.id,
      address,
      key.name,
      key.scopes.length === SCOPES.length ? 'all' : key.scopes.join(' '),
      key.last_used_at ?? 'never',
    ]),
  )
  if (keys.length > 0) lines.push('', table(['KEY', 'MAILBOX', 'NAME', 'SCOPES', 'LAST USED'], keys))
  return lines.join('\n')
}
