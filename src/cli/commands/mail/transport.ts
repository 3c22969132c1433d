/** `restante tls-reports …` and `restante mta-sts …`: TLS results and policies of other domains. */
import { z } from 'zod'
import { systemClock } from '../../../lib/clock.js'
import { stsEntrySchema, stsListSchema, type StsEntry } from '../../../relay/mta-sts/list.js'
import { reportListSchema, type ReportEntry } from '../../../reporting/sent/tls-report-list.js'
import { askDaemon, queryOf } from '../../terminal/admin.js'
import { domainArgument, numberOption } from '../../terminal/arguments.js'
import { defineCommand, type Invocation } from '../../terminal/command.js'
import { json, printable, printList, type Cell } from '../../terminal/output.js'
import { ago, inTime } from '../../terminal/words.js'

const MAX_LIMIT = 1000

const listReports = defineCommand({
  usage: 'tls-reports list [DOMAIN]',
  options: ['limit', 'json'],
  summary: 'list TLS reports: being counted, waiting, being sent',
  about:
    'Asks the running daemon. Each row is a UTC day and a domain that mail was sent to. counting: the day is not over; waiting: the report leaves at the time\nshown, if the domain asks for one; sending: it is being delivered to the domain or host shown. A row disappears when its report is done.',
  examples: ['restante tls-reports list', 'restante tls-reports list example.com'],
  async run(invocation) {
    const { config, note } = invocation
    const limit = String(numberOption(invocation, 'limit', MAX_LIMIT))
    const query = queryOf({ domain: domainOf(invocation), limit })
    const { data, has_more: more } = await askDaemon(config(), 'GET', `/tls-reports?${query}`, reportListSchema)
    const head = ['DAY', 'DOMAIN', 'STATE', 'POLICY', 'OK', 'FAILED', 'LEAVES', 'TRIES', 'TO']
    const row = reportRow(systemClock.now())
    printList(invocation, data, head, row, 'Nothing is counted and no report is on its way.')
    if (more) note('There are more: name a DOMAIN, or give a larger --limit.')
  },
})

const sendReports = defineCommand({
  usage: 'tls-reports send [DOMAIN]',
  options: ['json'],
  summary: 'send the TLS reports of past days now',
  about:
    'Asks the running daemon. Reports leave by themselves within four hours after the end of a UTC day and are retried for most of a day; this sends them now.\nA domain without a _smtp._tls record gets none. The current day is left out: a report covers a whole day.',
  examples: ['restante tls-reports send', 'restante tls-reports send example.com'],
  async run(invocation) {
    const { options, config, print, note } = invocation
    const body = { domain: domainOf(invocation) }
    const answer = await askDaemon(config(), 'POST', '/tls-reports/send', z.object({ sent: z.int() }), body)
    if (options.json) print(json(answer))
    else if (answer.sent === 0) note('There is nothing to send: no day with results has ended since the last reports.')
    else print(`${answer.sent} on their way now, to those who ask for reports; see restante tls-reports list`)
  },
})

const listPolicies = defineCommand({
  usage: 'mta-sts list',
  options: ['limit', 'json'],
  summary: 'list the cached MTA-STS policies of other domains',
  about:
    'Asks the running daemon. A policy is fetched with the first mail to a domain and cached for its max_age; while mail is sent there it is refreshed once a day.\n"restante dns" prints our own policy.',
  examples: ['restante mta-sts list', `restante mta-sts list --json | jq -r '.[] | select(.problem) | .domain'`],
  async run(invocation) {
    const { config, note } = invocation
    const query = queryOf({ limit: String(numberOption(invocation, 'limit', MAX_LIMIT)) })
    const { data, has_more: more } = await askDaemon(config(), 'GET', `/mta-sts?${query}`, stsListSchema)
    const now = systemClock.now()
    const head = ['DOMAIN', 'MODE', 'ID', 'FETCHED', 'EXPIRES', 'PROBLEM']
    printList(invocation, data, head, (entry) => policyRow(entry, now), 'No policy is cached.')
    if (more) note('There are more: a larger --limit shows them.')
  },
})

const showPolicy = defineCommand({
  usage: 'mta-sts show DOMAIN',
  options: ['json'],
  summary: "show a domain's cached MTA-STS policy",
  about:
    'Asks the running daemon: the cached policy, until when it is valid, and why the last fetch failed. Nothing is fetched.',
  examples: ['restante mta-sts show example.com'],
  async run(invocation) {
    const { options, config, print } = invocation
    const path = `/mta-sts/policy?${queryOf({ domain: domainOf(invocation) })}`
    const entry = await askDaemon(config(), 'GET', path, stsEntrySchema)
    print(options.json ? json(entry) : describe(entry, systemClock.now()))
  },
})

const forgetPolicy = defineCommand({
  usage: 'mta-sts forget DOMAIN',
  options: ['json'],
  summary: "forget a domain's MTA-STS policy",
  about:
    'Asks the running daemon. For a domain whose cached policy is wrong: the next mail to it fetches the policy again, even if that has just failed. Until then\nonly DANE protects mail to it. Queued mail is retried by its schedule; "restante queue retry" is faster.',
  examples: ['restante mta-sts forget example.com && restante queue retry --domain example.com'],
  async run(invocation) {
    const { options, config, print } = invocation
    const domain = domainOf(invocation)
    const schema = z.object({ forgotten: z.literal(true) })
    const answer = await askDaemon(config(), 'POST', '/mta-sts/forget', schema, { domain })
    if (options.json) print(json({ domain, ...answer }))
    else print(`Forgotten; the next mail to ${domain} fetches its policy again.`)
  },
})

export const commands = [listReports, sendReports, listPolicies, showPolicy, forgetPolicy]

function reportRow(now: number): (entry: ReportEntry) => Cell[] {
  return ({ day, domain, state, policies, sessions_ok: ok, sessions_failed: failed, next_at: next, attempts, to }) => [
    day,
    domain,
    state,
    policies.join(', '),
    ok,
    failed,
    next && inTime(next, now),
    attempts || null,
    to,
  ]
}

function policyRow({ domain, policy, problem }: StsEntry, now: number): Cell[] {
  return [
    domain,
    policy?.mode,
    policy?.id,
    policy && `${ago(policy.fetched_at, now)} ago`,
    policy && ends(policy.expires_at, now),
    problem && `${ago(problem.at, now)} ago: ${problem.detail}`,
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
    : [`${domain}: no policy is cached`]
  if (problem) lines.push(`could not be fetched ${ago(problem.at, now)} ago: ${problem.detail}`)
  return lines.map(printable).join('\n')
}

function ends(at: string, now: number): string {
  return Date.parse(at) <= now ? `${ago(at, now)} ago` : inTime(at, now)
}

/** @throws CommandError (usage) */
function domainOf(invocation: Invocation): string | undefined {
  const [text] = invocation.args
  return text === undefined ? undefined : domainArgument(invocation, text, 'example.com')
}
