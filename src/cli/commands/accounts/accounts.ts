/** `restante account …`: list, show, suspend, delete. */
import {
  accountDetailsSchema,
  accountListSchema,
  accountSchema,
  deletionSchema,
  signInLinkSchema,
  staffLinkSchema,
} from '../../../admin/accounts.js'
import { SCOPES } from '../../../accounts/types.js'
import type { z } from 'zod'
import { isSafeOrigin } from '../../../config/setting/setting.js'
import { askDaemon, queryOf } from '../../terminal/admin.js'
import { defineCommand, EXIT } from '../../terminal/command.js'
import { isAgreed } from '../../terminal/confirm.js'
import { facts, json, optionalTable, printable, table } from '../../terminal/output.js'
import { count } from '../../terminal/words.js'
import { describeTrust, trust } from './trust.js'

type Account = z.infer<typeof accountSchema>
type Details = z.infer<typeof accountDetailsSchema>

const NAMED = 'ACCOUNT is its id (acc_…), the email of its owner, or the address of one of its mailboxes.'

const list = defineCommand({
  usage: 'account list',
  options: ['limit', 'json'],
  summary: 'list the accounts',
  about: "Asks the running daemon. The operator's own account comes first, then those with an owner, by email.",
  examples: ['restante account list', "restante account list --json | jq -r '.[].owner'"],
  async run({ options: { limit, json: asJson }, config, print, note }) {
    const path = `/accounts?${queryOf({ limit })}`
    const { data, has_more: hasMore } = await askDaemon(config(), 'GET', path, accountListSchema)
    const rows = data.map((one) => [one.id, one.owner, one.status, one.mailboxes, one.created_at])
    print(asJson ? json(data) : table(['ACCOUNT', 'OWNER', 'STATUS', 'MAILBOXES', 'CREATED'], rows))
    if (hasMore) note('There are more; --limit N shows more.')
  },
})

const show = defineCommand({
  usage: 'account show ACCOUNT',
  options: ['json'],
  summary: 'show one account',
  about: `Its status, who can sign in, its mailboxes and their keys. ${NAMED}`,
  examples: ['restante account show bob@example.com', 'restante account show ada@agents.example.com --json'],
  async run({ args: [account = ''], config, options, print }) {
    const found = await askDaemon(config(), 'GET', `/accounts/show?${queryOf({ account })}`, accountDetailsSchema)
    print(options.json ? json(found) : describe(found))
  },
})

const suspend = defineCommand({
  usage: 'account suspend ACCOUNT',
  options: ['reason', 'json'],
  summary: 'stop an account from sending and reading',
  about: `Keys and sending are refused at once, queued mail is held, and mail still arrives. The owner gets a letter with the reason.\n${NAMED} Suspending again changes nothing.`,
  examples: ['restante account suspend bob@example.com --reason "Complaints about bulk mail; please write to us."'],
  async run({ args: [account], options: { reason, json: asJson }, config, print, usage }) {
    if (reason === undefined) throw usage('"account suspend" needs --reason TEXT; the owner of the account reads it')
    const answer = await askDaemon(config(), 'POST', '/accounts/suspend', accountSchema, { account, reason })
    const why = printable(answer.suspension?.reason ?? '')
    print(asJson ? json(answer) : `The account ${nameOf(answer)} is suspended: ${why}`)
  },
})

const reinstate = defineCommand({
  usage: 'account reinstate ACCOUNT',
  options: ['json'],
  summary: 'end the suspension of an account',
  about: `Its keys work again, and held mail is released, a hundred messages a second. The owner gets a letter. ${NAMED}`,
  examples: ['restante account reinstate bob@example.com'],
  async run({ args: [account], config, options, print }) {
    const answer = await askDaemon(config(), 'POST', '/accounts/reinstate', accountSchema, { account })
    if (options.json) print(json(answer))
    else if (answer.status === 'active') print(`The account ${nameOf(answer)} is active.`)
    else print(`The account ${nameOf(answer)} is not suspended; it is about to be deleted.`)
  },
})

const remove = defineCommand({
  usage: 'account delete ACCOUNT',
  options: ['yes', 'json'],
  summary: 'begin the deletion of an account',
  about: `Sending and keys stop at once. After 30 days the account is deleted for good, with its mailboxes and all mail; until then its owner can cancel.\n${NAMED} Shows what would be deleted and asks; in a script, give --yes.`,
  examples: ['restante account delete bob@example.com', 'restante account delete bob@example.com --yes'],
  async run(invocation) {
    const { args, config, options, print } = invocation
    const [account] = args
    const agreed = await isAgreed(invocation, async () => {
      const path = `/accounts/show?${queryOf({ account })}`
      const found = await askDaemon(config(), 'GET', path, accountDetailsSchema)
      return `This would delete the account ${nameOf(found)} with ${count(found.mailboxes, 'mailbox', 'mailboxes')}.`
    })
    if (!agreed) return EXIT.failed
    const answer = await askDaemon(config(), 'POST', '/accounts/delete', deletionSchema, { account })
    if (options.json) print(json(answer))
    else print(`The account ${answer.account_id} has stopped, and will be deleted at ${answer.ends_at}.`)
  },
})

const signIn = defineCommand({
  usage: 'account sign-in [ACCOUNT]',
  options: ['staff', 'json'],
  abouts: { staff: 'a session with staff rights for an address in identity.staff' },
  summary: 'make a link that signs a human in',
  about: `For a server without an identity provider: whoever opens the link first is signed in to the pages of the account in that browser, and can connect clients there. It works once and for 10 minutes, so give it to its human alone.\n${NAMED} Such a session has no staff rights. That of --staff EMAIL has them while the address is in identity.staff.`,
  examples: [
    'restante account sign-in ada@agents.example.com',
    'restante account sign-in bob@example.com',
    'restante account sign-in --staff amy@example.com',
  ],
  async run({ args: [account], config, options, print, note, usage }) {
    const { staff } = options
    if ((account === undefined) === (staff === undefined))
      throw usage('"account sign-in" needs either ACCOUNT or --staff EMAIL')
    const answer =
      staff === undefined
        ? await askDaemon(config(), 'POST', '/accounts/sign-in', signInLinkSchema, { account })
        : await askDaemon(config(), 'POST', '/accounts/sign-in-staff', staffLinkSchema, { email: staff })
    if (!isSafeOrigin(new URL(answer.url)))
      note(
        'Browsers keep no session at an address without TLS: set server.base_url to the https address of this server.',
      )
    print(options.json ? json(answer) : answer.url)
    if (!options.json) note(`It signs in ${whose(answer)}, once, until ${answer.expires_at}.`)
  },
})

function whose(link: z.infer<typeof signInLinkSchema> | z.infer<typeof staffLinkSchema>): string {
  if ('staff' in link) return `${printable(link.staff)}, as staff`
  return `to ${link.owner === null ? link.account_id : printable(link.owner)}`
}

export const commands = [list, show, signIn, trust, suspend, reinstate, remove]

function nameOf({ id, owner }: Account): string {
  return owner === null ? id : `${printable(owner)} (${id})`
}

function describe(account: Details): string {
  const { suspension, deletion, shown_mailboxes: mailboxes } = account
  const by = suspension?.by === 'service' ? ', by itself' : ''
  const head = facts(
    [
      ['Account', account.id],
      ['Owner', account.owner ?? 'none with a verified email'],
      ['Status', account.status],
      ['Suspended', suspension && `${suspension.at}${by}: ${suspension.reason}`],
      ['Deletion', deletion && `ends at ${deletion.ends_at}`],
      ['Created', account.created_at],
    ],
    12,
  )
  const identities = account.identities.map((each) => [
    each.provider,
    each.username,
    each.email && `${each.email}${each.email_verified ? '' : ' (not verified)'}`,
    each.last_sign_in_at,
  ])
  const rows = mailboxes.map((one) => [one.address, one.message_count, one.used_bytes, one.keys.length])
  const unshown = account.mailboxes - rows.length
  const keys = mailboxes.flatMap(({ address, keys: all }) =>
    all.map((key) => [
      key.id,
      address,
      key.name,
      key.scopes.length === SCOPES.length ? 'all' : key.scopes.join(' '),
      key.last_used_at ?? 'never',
    ]),
  )
  const part = (...table: Parameters<typeof optionalTable>) => optionalTable(...table).map((text) => `\n${text}`)
  return [
    head,
    ...describeTrust(account.trust),
    ...part(['PROVIDER', 'USER', 'EMAIL', 'LAST SIGN-IN'], identities),
    ...part(['MAILBOX', 'MESSAGES', 'BYTES', 'KEYS'], rows),
    ...(unshown > 0 ? [`and ${unshown} more`] : []),
    ...part(['KEY', 'MAILBOX', 'NAME', 'SCOPES', 'LAST USED'], keys),
  ].join('\n')
}
