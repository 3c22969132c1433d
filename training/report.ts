/** docs/guard.md: what the guard does, and the figures of the model that is shipped. */
import { DEFAULT_LINES, FINDINGS_HOLD_AT, holdLine } from '../src/guard/verdict/guard.js'
import { DEFAULT_LINES as SPAM_LINES } from '../src/guard/verdict/spam.js'
import { HELD_OUT_LANGUAGES, stylesOf } from './scenes/split.js'
import { SPAM_SCORES, type IncomingShares } from './incoming.js'
import { FINDING_CODES } from '../src/guard/reason-codes.js'
import type { ModelManifest } from '../src/guard/model/model.js'
import type { Result, Said } from './evaluate.js'
import type { Decisions, SceneResults } from './examine.js'

export interface Report {
  data: {
    corpora: Record<string, { sha256: string; messages: number }>
    templates: { legitimate: number; unwanted: number; heldOut: number; each: number }
    topics: number
    /** Situations, and messages told of them. */
    scenes: number
    told: number
    /** Of the scenes that are trained on. */
    languages: number
  }
  results: {
    families: { result: Result; plain: Result }[]
    files: Result[]
    costs: { family: string; costs: { holdAt: number; decisions: Decisions }[]; incoming: IncomingShares }[]
    variants: Record<string, number>
    templates: Decisions
    /** Of the held-out templates, by the model that is shipped. */
    blocks: { blockAt: number; decisions: Decisions }[]
    /** Of scenes by other authors: those that thresholds were tuned on, and those only reported. */
    told: { tune: SceneResults; report: SceneResults }
    reliability: Said[]
  }
  manifest: ModelManifest
  bytes: number
}

const TUNED_ON = listed(stylesOf('tune'))
const REPORTED = listed(stylesOf('report'))
const NAMES: Record<string, string> = {
  enron: 'Enron, all five parts',
  spamassassin: 'SpamAssassin',
  recent: 'Nazario’s phishing and mailing lists',
  generated: 'templates',
  'scenes, tuned on': `scenes of ${TUNED_ON}`,
  'scenes, reported': `scenes of ${REPORTED}`,
}

export function reportOf({ data, results, manifest, bytes }: Report): string {
  const { families, files, costs, variants, templates, blocks, told, reliability } = results
  return `# The guard

How the guard classifies mail, how well it works, and what its findings mean.

Every message that an agent sends, every note on an invite and every incoming message is classified within the daemon; nothing leaves the machine
unless the operator configures [second opinions](guard-opinions.md). The result is a category (legitimate, bulk, spam, phishing, scam, malware),
scores, a decision and reasons, as stable codes with evidence. They are stored with the message and shown by the API, MCP, the owner's pages and
\`restante review\` ([review](review.md)). \`restante guard explain FILE.eml\` prints the result for a message with its strongest evidence.
\`restante guard measure FOLDER\` judges all mail of a Maildir, a folder of files or an mbox file, folder by folder, and keeps none of it: with honest
mail in one folder and spam in another it shows what each threshold costs on mail of your own.

## How the guard decides

1. The text is read as a reader sees it, at most 32 Ki characters of each part: markup, styles, comments and pictures go first; what styles hide,
   invisible characters and overridden directions are resolved, look-alike letters and letters set apart are normalized. Of longer text the front, the
   tail and samples between are read. Text and HTML are both judged when they differ, and hidden text by itself, since programs read it. Quoted text is history only when it stands in the stored message
   that is replied to; in incoming mail too, where spam is no such message. Links of that message are history in incoming mail only.
   Attached pages, texts (\`.txt\`, \`.ics\`) and text documents (OOXML) are read too, 16 Ki characters of each, and forwarded messages with their links and
   what is attached to them: up to 8, three within each other. What stands in the stored parent is history; a report is not judged by the mail it returns.
   PDFs and the codes in pictures (attached, within the HTML, in forwarded messages and in PDFs) are read in a thread of their own: at most 4 PDFs of
   10 MiB and 20 pages, 16 Ki characters of their text, 8 pictures of 8 MiB and 16 million pixels, 5 seconds a step and 10 a message, 256 MiB of memory.
   Codes that the first three pages of a PDF draw as paths, glyphs or many small pictures are read too, up to 40,000 shapes a page.
   Their links and text count as those of the message; a file beyond the limits is told (\`attachment_not_read\`) and delays or loses no mail.
2. Rules look for [findings](#findings): links to other targets than shown, hosts that imitate others, requests for secrets, codes and
   money, threats, and orders to the programs that read the mail, in fourteen languages; programs disguised as documents, many new recipients, the
   same text to many, and how the message departs from [what its account usually sends](#the-accounts-own-story). Words that are denied ("we will never ask for …") count for nothing, those that are quoted or told of for little.
3. The text model (${Math.round(bytes / 1024)} KiB of eight-bit weights) estimates how likely the words are those of unwanted mail. One table has learned the
   words of known mail, from corpora, templates and word lists; another has learned from pairs of honest and abusive messages about the same topic how abuse asks,
   and from templates, with stems of words up to four apart. A third tells how much a message is like those of the corpora, and so which of the two to believe. Of a text
   of 120 words or more, the worst window of 60 words is judged too, and counts four fifths, or less
   where it is like the mail of the corpora; the worse counts. A message of fewer than nine words is not held for them alone. Combined with the findings it gives one calibrated risk, assuming that one message in twenty is unwanted.
4. **Block**: only on hard evidence (a program disguised as a document, a test virus, a host from the operator's list, an imitated brand
   together with a request for secrets), or at a risk of ${DEFAULT_LINES.blockAt} (\`guard.block_score\`) when findings support it by half. **Hold** for
   [review](review.md): from a risk of ${DEFAULT_LINES.holdAt} (\`guard.hold_score\`), by words and findings together, or from ${Math.max(DEFAULT_LINES.holdAt, FINDINGS_HOLD_AT)} by findings alone; each trust level reduces the weight of words above the threshold by a tenth.
   **Send** otherwise. When the guard fails, the message is held.

## Results on mail it was not trained on

All results exclude the named mail from training and calibration (what calibrates is scored by tables without its own source, which may know the named
mail). A *family* is all mail from one source: leaving out one part of
Enron while training on the others shows little about unknown mail, so both are shown. "Corpora only" is the same text model trained on the
other corpora only, without templates and word lists.

${table(
  [
    'left out',
    'wanted',
    'unwanted',
    'AUC',
    'AUC, corpora only',
    'recall at 1 % false positives',
    'corpora only',
    'false positives at the carried-over threshold',
    'recall there',
  ],
  [
    ...families.map(({ result, plain }) => [
      NAMES[result.name] ?? result.name,
      String(result.wanted),
      String(result.unwanted),
      three(result.auc),
      three(plain.textAuc),
      percent(result.recallAtOnePercent),
      percent(plain.recallAtOnePercent),
      percent(result.carried.falsePositives),
      percent(result.carried.recall),
    ]),
    ...files.map((result) => [
      result.name,
      String(result.wanted),
      String(result.unwanted),
      three(result.auc),
      '',
      percent(result.recallAtOnePercent),
      '',
      percent(result.carried.falsePositives),
      percent(result.carried.recall),
    ]),
  ],
)}

The carried-over threshold is the mean of the thresholds at which the other families, each scored by a model trained without it, have 1 % false positives.

## Honest and abusive messages on the same topic

[Scenes](guard-data.md) tell a situation twice, honestly and abusively, in the same tone. Those below were written by other authors than those of the training
data, in ${new Set(Object.keys({ ...told.tune.languages, ...told.report.languages })).size} languages, and nothing of them was trained on; ${listed(HELD_OUT_LANGUAGES.map((language) => `\`${language}\``))} stand in no scene of the training data. With ${TUNED_ON}
the thresholds were chosen; ${REPORTED} was only measured, once, and its author knew nothing of any model. Held or blocked, by the model that is shipped, at \`guard.hold_score\` ${DEFAULT_LINES.holdAt}:

${table(
  [
    'class of the abusive side',
    `${TUNED_ON}: honest`,
    'held',
    'abusive',
    'held',
    `${REPORTED}: honest`,
    'held',
    'abusive',
    'held',
  ],
  sceneRows(told, 'classes'),
)}

${table(
  ['language', `${TUNED_ON}: honest`, 'held', 'abusive', 'held', `${REPORTED}: honest`, 'held', 'abusive', 'held'],
  sceneRows(told, 'languages'),
)}

## Whether the risk comes true

Of messages whose source was left out of training, with each family and its two sides counting alike, before the assumption that one in twenty is unwanted:

${table(
  ['said', 'was', 'messages'],
  reliability.map(({ said, was, messages }) => [percent(said), percent(was), String(messages)]),
)}

## Cost of the hold threshold

Shares of messages held or blocked, from a sender at trust level 0, for each value of \`guard.hold_score\`. Each
family is classified by a model trained without it; of the templates only the held-out ones. The templates are written by us and show how
the guard does on mail in today's style; they are no proof by themselves.

${table(
  ['hold threshold', ...costs.flatMap(({ family }) => [`${NAMES[family] ?? family}: wanted`, 'unwanted'])],
  (costs[0]?.costs ?? []).map(({ holdAt }, i) => [
    holdAt === DEFAULT_LINES.holdAt ? `**${holdAt}**` : String(holdAt),
    ...costs.flatMap(({ costs }) => {
      const decisions = costs[i]?.decisions
      return decisions ? [stopped(decisions.wanted), stopped(decisions.unwanted)] : ['', '']
    }),
  ]),
)}

With the shipped model, of the held-out templates (${templates.wanted.messages} wanted and ${templates.unwanted.messages} unwanted messages): wanted mail held
${percent(templates.wanted.held)}, blocked ${percent(templates.wanted.blocked)}; unwanted mail held ${percent(templates.unwanted.held)}, blocked ${percent(templates.unwanted.blocked)}.

Higher trust levels have a higher threshold for words: with \`guard.hold_score\` ${DEFAULT_LINES.holdAt} that is ${trustLines()}.
Findings count the same at all levels.

## Cost of the other thresholds

**Blocking** needs hard evidence, or a risk of \`guard.block_score\` supported by findings. Blocked at ${DEFAULT_LINES.blockAt}, each family by a model
trained without it:

${table(
  ['family', 'wanted', 'unwanted'],
  costs.map(({ family, costs }) => {
    const at = costs.find(({ holdAt }) => holdAt === DEFAULT_LINES.holdAt)?.decisions
    return [NAMES[family] ?? family, ...(at ? [finely(at.wanted.blocked), finely(at.unwanted.blocked)] : ['', ''])]
  }),
)}

And of the held-out templates, with the shipped model, for each value of \`guard.block_score\`:

${table(
  ['block threshold', 'wanted', 'unwanted'],
  blocks.map(({ blockAt, decisions }) => [
    blockAt === DEFAULT_LINES.blockAt ? `**${blockAt}**` : String(blockAt),
    finely(decisions.wanted.blocked),
    finely(decisions.unwanted.blocked),
  ]),
)}

**Second opinions**, if configured, are requested from \`guard.second_opinion_score\` (0.2) up to the hold threshold. This holds no wanted
mail by itself, but costs time and requests: about the row of 0.2 above minus the row of ${DEFAULT_LINES.holdAt}, so for this share of wanted mail

${costs.map(({ family, costs }) => `- ${NAMES[family] ?? family}: ${between(costs)}`).join('\n')}

**Recipient limits** (\`many_recipients\`, \`many_new_recipients\`, \`near_duplicates\`) cannot be measured on these corpora, which do not show
whom a sender had written to before.

## Incoming mail

The same reading and model give incoming mail most of its [spam score](receiving.md). Shares that are at or above a score, with nothing known of the sender: no SPF,
DKIM, DMARC, client or other filter, which in operation add to it. Each family by a model trained without it. \`scan.spam_score\` is ${SPAM_LINES.spam}.

${table(
  ['spam score', ...costs.flatMap(({ family }) => [`${NAMES[family] ?? family}: wanted`, 'unwanted'])],
  SPAM_SCORES.map((spamAt, i) => [
    spamAt === SPAM_LINES.spam ? `**${spamAt}**` : String(spamAt),
    ...costs.flatMap(({ incoming: { scores } }) => [
      percent(scores[i]?.wanted ?? 0),
      percent(scores[i]?.unwanted ?? 0),
    ]),
  ]),
)}

## The account's own story

Of each account one row is kept: fading counts of messages and new recipients, when it last sent, shares of links and first contacts, hashes of the hosts
it links to, its languages ([why so](decisions/guard/story-is-one-row-of-counts.md)). No content is in it, and it goes with the account. A message is measured by
it once there is a past of eight messages on three days; answers to those who wrote first are not.

| departs from the usual | log odds |
| --- | --- |
| \`burst\`: 1.5 times or more of what can be expected: 8 new recipients in two hours or 16 in a day, a usual week, or the most so far | 1.5 for each *e*-fold, at most 3.2 |
| the same after a week, two weeks without mail | 0.5, 1 of these |
| \`burst\` of messages to those it knows | at most 0.5 |
| \`first_contact_with_link\`: to a host that it never linked to, by an account that rarely does this | 0.6 |
| \`unusual_links\`, \`unusual_language\`: never before, by an account that has few | 0.4 each |
| \`unusual_recipients\`: ten or more, five times as many as usual | 0.3 |
| \`many_recipients\`, \`many_new_recipients\`, \`mostly_new_recipients\`, \`near_duplicates\` | as they weigh |

Together they add at most 4 to the log odds of words and findings, and the nearer they come to that, the less harmless words take away. A block needs words and
findings without it. Where it counts, the reason \`story\` has the number with and without it, and the findings say what is unusual, in words and numbers.
\`restante guard explain\` prints all parts of the number; from a file it knows no account, so that part is missing.

Forty mails with harmless words within an hour, from an account of two mails a day for five weeks, one of eight to a new recipient; the first that is held
(\`npm test -- accounts/story\` plays these and others):

| the forty | trust 0 | trust 1 | trust 3 | trust 6 |
| --- | --- | --- | --- | --- |
| after 21 days of silence, to new recipients, with a link to a new host | 25th | 27th | 32nd | 38th |
| the same without the silence, or without links, or with links to its own host | none | none | none | none |
| the same to those it knows | none | none | none | none |

Never held: a support agent with 200 mails a day and links to its own host; a monthly newsletter to 120 known recipients with a new host in each; the
first ten mails of a new account, to strangers and with links; an account that writes to three more strangers each week. How often honest accounts depart from their past
is not measured: no corpus here shows an account's mail over time.

What incoming mail quotes counts as its own when no mailbox has the source. On all of these corpora that changes one verdict of the rules (a spam message of
enron4), and none of honest mail (\`npm test -- guard/corpora\`).

## Disguises

Share of 200 of Nazario's phishing messages that are held or blocked, unchanged and rewritten (by a model trained without that family):

${table(
  ['written', 'held or blocked'],
  Object.entries(variants).map(([name, share]) => [name, percent(share)]),
)}

## Training

[The data](guard-data.md): what it is and how it is made. \`npm run train\` beside the corpora trains the model, measures all of the above, and writes \`src/guard/model/\` and this page. Weights
\`${manifest.sha256.slice(0, 16)}…\`; the manifest beside them has data hashes and results. Trained on:

${table(
  ['corpus', 'messages'],
  Object.entries(data.corpora).map(([name, { messages }]) => [name, String(messages)]),
)}

- ${data.templates.legitimate} templates of wanted and ${data.templates.unwanted} of unwanted modern mail in sixteen languages, ${data.templates.each} messages of each; ${data.templates.heldOut} templates are
  held out.
- ${data.scenes} scenes in ${data.languages} languages, by several authors who did not read each other; ${data.told} messages of them.
- Word lists of ${data.topics} topics in nineteen languages, which bring vocabulary that no corpus here has. Nothing is measured on them.
- Families and labels count alike, whatever their size. Dates, header fields, Received lines and TLS are no features.

## Findings

${table(
  ['code', 'category', 'class', 'means'],
  Object.entries(FINDING_CODES).map(([code, { category, about, class: of }]) => [
    `\`${code}\``,
    category,
    of ?? '',
    about,
  ]),
)}

The class says what such abuse is after: theft of credentials, business mail fraud (bec: bosses, invoices, wages), gift cards, advance fees,
romance, crypto, jobs, extortion, malware, marketplaces, parcels and tolls, orders to the programs that read the mail (orders), harassment,
and bulk. It is missing where the sign fits any of them.

Also: \`words\` (the result of the text model, with the strongest words), \`story\` (what the account's story makes of it), \`no_risk_found\`, \`guard_failed\`, \`thread_rate\`,
\`account_stopped\`, and those of [second opinions](guard-opinions.md) and of the simulator's addresses.
`
}

/** "one, two and three" */
function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

function sceneRows(told: Report['results']['told'], by: 'classes' | 'languages'): string[][] {
  const names = [...new Set([told.tune, told.report].flatMap((results) => Object.keys(results[by])))].sort()
  const cells = (shares: SceneResults['all'] | undefined): string[] =>
    shares
      ? [
          ...[String(shares.honest), percent(shares.honestStopped)],
          ...[String(shares.abusive), percent(shares.abusiveStopped)],
        ]
      : ['', '', '', '']
  const row = (name: string, tune?: SceneResults['all'], report?: SceneResults['all']): string[] => [
    name,
    ...cells(tune),
    ...cells(report),
  ]
  return [
    ...names.map((name) => row(name, told.tune[by][name], told.report[by][name])),
    row('**all**', told.tune.all, told.report.all),
  ]
}

type Costs = Report['results']['costs'][number]['costs']

/** Share of wanted mail of which others are asked what they think. */
function between(costs: Costs): string {
  const at = (line: number): number => {
    const wanted = costs.find(({ holdAt }) => holdAt === line)?.decisions.wanted
    return wanted ? wanted.held + wanted.blocked : NaN
  }
  return percent(at(0.2) - at(DEFAULT_LINES.holdAt))
}

function trustLines(): string {
  const lines = [1, 2, 3, 4, 5, 6].map(
    (level) => `${holdLine(DEFAULT_LINES.holdAt, level).toFixed(2)} at level ${level}`,
  )
  return `${lines.slice(0, -1).join(', ')} and ${lines.at(-1) ?? ''}`
}

const finely = (share: number): string => `${(100 * share).toFixed(2)} %`
const three = (share: number): string => share.toFixed(3)
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`
const stopped = ({ held, blocked }: { held: number; blocked: number }): string => percent(held + blocked)

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
