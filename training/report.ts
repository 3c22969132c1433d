/** docs/guard.md: what the guard does, and the figures of the model that is shipped. */
import { DEFAULT_LINES, holdLine } from '../src/guard/verdict/guard.js'
import { FINDING_CODES } from '../src/guard/reason-codes.js'
import type { ModelManifest } from '../src/guard/model/model.js'
import type { Result } from './evaluate.js'
import type { Decisions } from './examine.js'

export interface Report {
  data: {
    corpora: Record<string, { sha256: string; messages: number }>
    templates: { legitimate: number; unwanted: number; heldOut: number; each: number }
    topics: number
  }
  results: {
    families: { result: Result; plain: Result }[]
    files: Result[]
    costs: { family: string; costs: { holdAt: number; decisions: Decisions }[] }[]
    variants: Record<string, number>
    templates: Decisions
    /** Of the held-out templates, by the model that is shipped. */
    blocks: { blockAt: number; decisions: Decisions }[]
  }
  manifest: ModelManifest
  bytes: number
}

const NAMES: Record<string, string> = {
  enron: 'Enron, all five parts',
  spamassassin: 'SpamAssassin',
  recent: 'Nazario’s phishing and mailing lists',
  generated: 'templates',
}

export function reportOf({ data, results, manifest, bytes }: Report): string {
  const { families, files, costs, variants, templates, blocks } = results
  return `# The guard

Every message that an agent sends, every note on an invite and every message from outside is judged within the daemon: no service is asked and
nothing leaves the machine, unless the operator configures [second opinions](guard-opinions.md). The guard says a category (legitimate, bulk,
spam, phishing, scam, malware), scores, a decision and the reasons, as stable codes with their evidence. They are stored with the message and
shown by the API, over MCP, on the owner's pages and by \`restante review\` ([review](review.md)). \`restante guard explain FILE.eml\` prints how
a message would be judged, and what told most.

## How it decides

1. The text is read as a person sees it: HTML as text, without what style hides, invisible characters and look-alike letters made plain, quoted
   history set aside.
2. Rules look for [findings](#findings): links that go elsewhere than they say, hosts that imitate others, requests for secrets in twelve
   languages, programs posing as documents, many new recipients, the same text to many.
3. The text model, a logistic regression over hashed words, pairs of words and pieces of words (${Math.round(bytes / 1024)} KiB of eight-bit
   weights), tells how likely the words are those of unwanted mail. With the findings that makes one calibrated risk, on the expectation that
   one message in twenty is unwanted.
4. **Block**: only on hard evidence (a program that poses as a document, a test virus, a host from the operator's list, an imitated brand
   together with a request for secrets), or at a risk of ${DEFAULT_LINES.blockAt} (\`guard.block_score\`) when findings support it by half. **Hold** for
   [review](review.md): from a risk of ${DEFAULT_LINES.holdAt} (\`guard.hold_score\`); each level of trust takes a tenth off what words alone weigh above the line.
   **Send** otherwise. When the guard fails, the message is held.

## What it is worth on mail it was not trained on

Everything below is measured with the named mail left out of training, calibration and lines. A *family* is all that comes from one place:
leaving out one part of Enron while training on the others says little about strangers' mail, so both are shown. "Corpora only" is the same
text model trained on the other corpora alone, without templates and word lists.

${table(
  [
    'left out',
    'wanted',
    'unwanted',
    'AUC',
    'AUC, corpora only',
    'recall at 1 % false positives',
    'corpora only',
    'false positives at the carried-over line',
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

The carried-over line is the mean of the lines at which the other families, each scored by a model that did not know it, have 1 % false positives.

## What a hold line costs

Shares of messages that wait for a person or are refused, by a sender of the lowest trust, for each line that \`guard.hold_score\` could be. Each
family is judged by a model that was trained without it; of the templates, only those that are held out. The templates are made by us and say how
the guard does on mail of today's form; they are no proof by themselves.

${table(
  ['hold line', ...costs.flatMap(({ family }) => [`${NAMES[family] ?? family}: wanted`, 'unwanted'])],
  (costs[0]?.costs ?? []).map(({ holdAt }, i) => [
    holdAt === DEFAULT_LINES.holdAt ? `**${holdAt}**` : String(holdAt),
    ...costs.flatMap(({ costs }) => {
      const decisions = costs[i]?.decisions
      return decisions ? [stopped(decisions.wanted), stopped(decisions.unwanted)] : ['', '']
    }),
  ]),
)}

By the model that is shipped, of the held-out templates (${templates.wanted.messages} wanted and ${templates.unwanted.messages} unwanted messages): wanted mail held
${percent(templates.wanted.held)}, blocked ${percent(templates.wanted.blocked)}; unwanted mail held ${percent(templates.unwanted.held)}, blocked ${percent(templates.unwanted.blocked)}.

A sender of a higher level of trust is held for words from a higher line: at \`guard.hold_score\` ${DEFAULT_LINES.holdAt} that is ${trustLines()}.
What rules find counts for all levels alike.

## What the other lines cost

**Blocking** needs hard evidence, or a risk of \`guard.block_score\` that findings support. So many are blocked at ${DEFAULT_LINES.blockAt}, each family by a model
that was trained without it:

${table(
  ['family', 'wanted', 'unwanted'],
  costs.map(({ family, costs }) => {
    const at = costs.find(({ holdAt }) => holdAt === DEFAULT_LINES.holdAt)?.decisions
    return [NAMES[family] ?? family, ...(at ? [finely(at.wanted.blocked), finely(at.unwanted.blocked)] : ['', ''])]
  }),
)}

And of the held-out templates, by the model that is shipped, at each line that \`guard.block_score\` could be:

${table(
  ['block line', 'wanted', 'unwanted'],
  blocks.map(({ blockAt, decisions }) => [
    blockAt === DEFAULT_LINES.blockAt ? `**${blockAt}**` : String(blockAt),
    finely(decisions.wanted.blocked),
    finely(decisions.unwanted.blocked),
  ]),
)}

**Second opinions**, where others are configured, are asked for from \`guard.second_opinion_score\` (0.2) up to the line of holding. That costs no
wanted mail by itself, but time and requests: about the row of 0.2 above less the row of ${DEFAULT_LINES.holdAt}, so of wanted mail

${costs.map(({ family, costs }) => `- ${NAMES[family] ?? family}: ${between(costs)}`).join('\n')}

**Limits of recipients** (\`many_recipients\`, \`many_new_recipients\`, \`near_duplicates\`) can't be measured on these corpora, which do not tell whom
a sender had written to before.

## Disguises

Of 200 of Nazario's phishing messages, as they are and rewritten, so many are not sent (by a model that knows none of that family):

${table(
  ['written', 'held or blocked'],
  Object.entries(variants).map(([name, share]) => [name, percent(share)]),
)}

## How it was trained

\`npm run train\` beside the corpora trains the model, measures all of the above and writes \`src/guard/model/\` and this page. Weights
\`${manifest.sha256.slice(0, 16)}…\`; the manifest beside them has the hashes of the data and the results. Trained on:

${table(
  ['corpus', 'messages'],
  Object.entries(data.corpora).map(([name, { messages }]) => [name, String(messages)]),
)}

- ${data.templates.legitimate} templates of wanted and ${data.templates.unwanted} of unwanted modern mail in sixteen languages, ${data.templates.each} messages of each; ${data.templates.heldOut} templates are
  held out.
- Word lists of ${data.topics} topics in nineteen languages, which bring vocabulary that no corpus here has. Nothing is measured on them.
- Families and labels count alike, whatever their size. Dates, header fields, Received lines and TLS are no features.

## Findings

${table(
  ['code', 'category', 'means'],
  Object.entries(FINDING_CODES).map(([code, { category, about }]) => [`\`${code}\``, category, about]),
)}

Beside them: \`words\` (what the text model says, with the words that told most), \`no_risk_found\`, \`guard_failed\`, \`thread_rate\`,
\`account_stopped\`, and those of [second opinions](guard-opinions.md) and of the simulator's addresses.
`
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
