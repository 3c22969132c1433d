/** `restante tls-reports …` and `restante mta-sts …`: TLS results and policies of other domains. */
import { z } from 'zod'
import type { Config } from '../../../config/schema.js'
import { systemClock } from '../../../lib/clock.js'
import { normalizeDomain } from '../../../config/setting/address.js'
import { stsEntrySchema, stsListSchema, type StsEntry } from '../../../relay/mta-sts/list.js'
import { reportListSchema, type ReportEntry } from '../../../reporting/sent/tls-report-list.js'
import { askDaemon } from '../../terminal/admin.js'
import { CommandError, EXIT, type Command } from '../../terminal/command.js'
import { json, printable, table } from '../../terminal/output.js'
import { queryOf } from '../../terminal/query.js'
import { ago, inTime } from '../../terminal/words.js'

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 1000

const listReports: Command = {
  name: 'tls-reports list',
  args: ['[DOMAIN]'],
  options: ['limit', 'json'],
  summary: 'list TLS reports: being counted, waiting, being sent',
  about:
    'Asks the running daemon. Each row is a UTC day and a domain that mail was sent to. counting: the day is not over; waiting: the report leaves at the time\nshown, if the domain asks for one; sending: it is being delivered to the domain or host shown. A row disappears when its report is done.',
  examples: ['restante tls-reports list', 'restante tls-reports list example.com'],
  async run({ args: [domain], options: { limit }, flags, config, print, note }) {
    const query = queryOf({ domain: domain && asDomain(domain), limit: String(asLimit(limit, 'tls-reports list')) })
    const { data, has_more: more } = await askDaemon(config(), 'GET', `/tls-reports?${query}`, reportListSchema)
    const now = systemClock.now()
    if (flags.json) print(json(data))
    else if (data.length === 0) note('Nothing is counted and no report is on its way.')
    else
      print(
        table(['DAY', 'DOMAIN', 'STATE', 'POLICY', 'OK', 'FAILED', 'LEAVES', 'TRIES', 'TO'], data.map(reportRow(now))),
      )
    if (more) note('There are more: name a DOMAIN, or give a larger --limit.')
    return EXIT.ok
  },
}

const sendReports: Command = {
  name: 'tls-reports send',
  args: ['[DOMAIN]'],
  options: ['json'],
  summary: 'send the TLS reports of past days now',
  about:
    'Asks the running daemon. Reports leave by themselves within four hours after the end of a UTC day and are retried for most of a day; this sends them now.\nA domain without a _smtp._tls record gets none. The current day is left out: a report covers a whole day.',
  examples: ['restante tls-reports send', 'restante tls-reports send example.com'],
  async run({ args: [domain], flags, config, print, note }) {
    const body = domain === undefined ? {} : { domain: asDomain(domain) }
    const answer = await askDaemon(config(), 'POST', '/tls-reports/send', z.object({ sent: z.int() }), body)
    if (flags.json) print(json(answer))
    else if (answer.sent === 0) note('There is nothing to send: no day with results has ended since the last reports.')
    else print(`${answer.sent} on their way now, to those who ask for reports; see restante tls-reports list`)
    return EXIT.ok
  },
}

const listPolicies: Command = {
  name: 'mta-sts list',
  args: [],
  options: ['limit', 'json'],
  summary: 'list the cached MTA-STS policies of other domains',
  about:
    'Asks the running daemon. A policy is fetched with the first mail to a domain and cached for its max_age; while mail is sent there it is refreshed once a day.\n"restante dns" prints our own policy.',
  examples: ['restante mta-sts list', `restante mta-sts list --json | jq -r '.[] | select(.problem) | .domain'`],
  async run({ options: { limit }, flags, config, print, note }) {
    const query = queryOf({ limit: String(asLimit(limit, 'mta-sts list')) })
    const { data, has_more: more } = await askDaemon(config(), 'GET', `/mta-sts?${query}`, stsListSchema)
    const now = systemClock.now()
    if (flags.json) print(json(data))
    else if (data.length === 0) note('No policy is kept.')
    else
      print(
        table(
          ['DOMAIN', 'MODE', 'ID', 'FETCHED', 'EXPIRES', 'PROBLEM'],
          data.map((entry) => policyRow(entry, now)),
        ),
      )
    if (more) note('There are more: a larger --limit shows them.')
    return EXIT.ok
  },
}

const showPolicy: Command = {
  name: 'mta-sts show',
  args: ['DOMAIN'],
  options: ['json'],
  summary: "show a domain's cached MTA-STS policy",
  about:
    'Asks the running daemon: the cached policy, until when it is valid, and why the last fetch failed. Nothing is fetched.',
  examples: ['restante mta-sts show example.com'],
  async run({ args: [domain = ''], flags, config, print }) {
    const entry = await policyOf(config(), asDomain(domain))
    print(flags.json ? json(entry) : describe(entry, systemClock.now()))
    return EXIT.ok
  },
}

const forgetPolicy: Command = {
  name: 'mta-sts forget',
  args: ['DOMAIN'],
  options: ['json'],
  summary: "forget a domain's MTA-STS policy",
  about:
    'Asks the running daemon. For a domain whose cached policy is wrong: the next mail to it fetches the policy again, even if that has just failed. Until then\nonly DANE protects mail to it. Queued mail is retried by its schedule; "restante queue retry" is faster.',
  examples: ['restante mta-sts forget example.com && restante queue retry --domain example.com'],
  async run({ args: [domain = ''], flags, config, print }) {
    const name = asDomain(domain)
    const schema = z.object({ forgotten: z.literal(true) })
    const answer = await askDaemon(config(), 'POST', '/mta-sts/forget', schema, { domain: name })
    if (flags.json) print(json({ domain: name, ...answer }))
    else print(`Forgotten; the next mail to ${name} fetches its policy again.`)
    return EXIT.ok
  },
}

export const tlsReportCommands: readonly Command[] = [listReports, sendReports]
export const mtaStsCommands: readonly Command[] = [listPolicies, showPolicy, forgetPolicy]

function policyOf(config: Config, domain: string): Promise<StsEntry> {
  return askDaemon(config, 'GET', `/mta-sts/policy?${queryOf({ domain })}`, stsEntrySchema)
}

function reportRow(now: number): (entry: ReportEntry) => string[] {
  return ({ day, domain, state, policies, sessions_ok: ok, sessions_failed: failed, next_at: next, attempts, to }) => [
    day,
    domain,
    state,
    policies.join(', '),
    String(ok ?? ''),
    String(failed ?? ''),
    next === null ? '' : inTime(next, now),
    attempts === 0 ? '' : String(attempts),
    to ?? '',
  ]
}

function policyRow({ domain, policy, problem }: StsEntry, now: number): string[] {
  return [
    domain,
    policy?.mode ?? '',
    policy?.id ?? '',
    policy ? `${ago(policy.fetched_at, now)} ago` : '',
    policy ? ends(policy.expires_at, now) : '',
    problem ? `${ago(problem.at, now)} ago: ${problem.detail}` : '',
  ]
}

function describe({ domain, policy, problem }: StsEntry, now: number): string {
  const lines = policy
    ? [
        `${domain}: ${policy.mode}, id ${policy.id}`,
        `fetched ${ago(policy.fetched_at, now)} ago, ends ${ends(policy.expires_at, now)} (max_age ${policy.max_age_seconds} s)`,
        ...(policy.used_at === null ? [] : [`mail went there ${ago(policy.used_at, now)} ago, to about a day`]),
        ...policy.mx.map((pattern) => `mx ${pattern}`),
      ]
    : [`${domain}: no policy is kept`]
  if (problem) lines.push(`could not be fetched ${ago(problem.at, now)} ago: ${problem.detail}`)
  return lines.map(printable).join('\n')
}

function ends(at: string, now: number): string {
  return Date.parse(at) <= now ? `${ago(at, now)} ago` : inTime(at, now)
}

/** @throws CommandError (usage) */
function asDomain(text: string): string {
  const domain = normalizeDomain(text)
  if (domain !== undefined) return domain
  throw new CommandError(EXIT.usage, `"${text}" is no domain; it takes one such as example.com`)
}

/** @throws CommandError (usage) */
function asLimit(text: string | undefined, command: string): number {
  const count = text === undefined ? DEFAULT_LIMIT : Number(text)
  if (text?.trim() !== '' && Number.isInteger(count) && count >= 1 && count <= MAX_LIMIT) return count
  const problem = `--limit takes a whole number from 1 to ${MAX_LIMIT}, not "${text}"`
  throw new CommandError(EXIT.usage, `${problem}\nSee: restante ${command} -h`)
}
