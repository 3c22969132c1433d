/**
 * Parses DMARC aggregate reports (RFC 7489 appendix C, RFC 9990 §3.1) as reporters write them: namespaces, order and gaps vary. Streaming, without a tree.
 * Document types are refused, so only XML's own entities exist.
 */
import { Parser } from 'htmlparser2'
import { addressOf, countOf, domainOfReport, isPass, isSameOrganisation, secondsOf, textOf } from './fields.js'
import { Refused, type DmarcReport, type DmarcRow } from './types.js'

const ROOT = 'feedback'
/** Reports have seven levels. */
const MAX_DEPTH = 16
const MAX_RECORDS = 100_000
const MAX_LEAF_CHARS = 1000
/** In the whole report: those of an element are held until it ends. */
const MAX_ATTRIBUTES = 20_000
const MAX_ROWS = 1000
const MAX_RESULTS = 4
const MAX_REASONS = 3
const SLICE = 64 * 1024

type Leaves = Map<string, string>

interface Draft {
  /** Leaves by path below `record`; the first of repeated ones. */
  leaves: Leaves
  dkim: Leaves[]
  spf: Leaves[]
  reasons: string[]
}

/** @throws Refused */
export function readDmarcXml(xml: string): DmarcReport {
  const stack: string[] = []
  const head: Leaves = new Map()
  const rows: DmarcRow[] = []
  let text = ''
  let draft: Draft | undefined
  let result: Leaves | undefined
  let records = 0
  let isWhole = false

  function opened(name: string): void {
    stack.push(name)
    if (stack.length > MAX_DEPTH) throw new Refused('too_deep')
    text = ''
    const path = pathOf(stack)
    if (path === 'record') {
      if (++records > MAX_RECORDS) throw new Refused('too_many_records')
      draft = { leaves: new Map(), dkim: [], spf: [], reasons: [] }
    }
    if (path === 'record/auth_results/dkim' || path === 'record/auth_results/spf') result = new Map()
  }

  function closed(name: string, isImplied: boolean): void {
    const path = pathOf(stack)
    const value = text.trim()
    text = ''
    stack.pop()
    if (path === '' && name === ROOT) isWhole = !isImplied
    else if (path === 'record/auth_results/dkim') result = addTo(draft?.dkim, result)
    else if (path === 'record/auth_results/spf') result = addTo(draft?.spf, result)
    else if (path === 'record') {
      const row = draft && rowOf(draft)
      if (row) rows.push(row)
      draft = undefined
    } else if (value !== '' && path !== '') leaf(path, value)
  }

  function leaf(path: string, value: string): void {
    if (!path.startsWith('record/')) return put(head, path, value)
    const below = path.slice('record/'.length)
    if (result && below.startsWith('auth_results/')) put(result, below.slice(below.lastIndexOf('/') + 1), value)
    else if (below === 'row/policy_evaluated/reason/type') draft?.reasons.push(value)
    else if (draft) put(draft.leaves, below, value)
  }

  const parser = new Parser(
    {
      onopentag: (name) => opened(localName(name)),
      onclosetag: (name, isImplied) => closed(localName(name), isImplied),
      onattribute: attributeLimit(),
      ontext(piece) {
        if (text.length < MAX_LEAF_CHARS) text += piece.slice(0, MAX_LEAF_CHARS)
      },
      onprocessinginstruction(name) {
        if (/^!doctype/i.test(name)) throw new Refused('dtd')
      },
    },
    { xmlMode: true },
  )
  for (let at = 0; at < xml.length; at += SLICE) parser.write(xml.slice(at, at + SLICE))
  parser.end()
  if (!isWhole) throw new Refused(records > 0 || head.size > 0 ? 'broken' : 'no_report')
  return reportOf(head, rows, records)
}

function attributeLimit(): () => void {
  let attributes = 0
  return () => {
    if (++attributes > MAX_ATTRIBUTES) throw new Refused('broken')
  }
}

/** Below the root, which some reporters wrap in another element. */
function pathOf(stack: readonly string[]): string {
  const root = stack.indexOf(ROOT)
  return root === -1 ? '' : stack.slice(root + 1).join('/')
}

function put(leaves: Leaves, name: string, value: string): void {
  if (leaves.size < 50 && !leaves.has(name)) leaves.set(name, value)
}

function addTo(list: Leaves[] | undefined, result: Leaves | undefined): undefined {
  if (list && result && list.length < 100) list.push(result)
  return undefined
}

/** Without the namespace prefix. */
function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase()
}

function reportOf(head: Leaves, rows: DmarcRow[], records: number): DmarcReport {
  const domain = domainOfReport(head.get('policy_published/domain'))
  const begin = secondsOf(head.get('report_metadata/date_range/begin'))
  const end = secondsOf(head.get('report_metadata/date_range/end'))
  if (domain === null || (records > 0 && rows.length === 0)) throw new Refused('broken')
  if (begin === null || end === null) throw new Refused('bad_dates')
  const of = (isMeant: (row: DmarcRow) => boolean): number =>
    rows.reduce((sum, row) => sum + (isMeant(row) ? row.count : 0), 0)
  const policy = (name: string): string | null =>
    textOf(head.get(`policy_published/${name}`), 20)?.toLowerCase() ?? null
  const passed = of(isPass)
  const messages = of(() => true)
  return {
    kind: 'dmarc',
    org_name: textOf(head.get('report_metadata/org_name')) ?? '',
    contact: textOf(head.get('report_metadata/email')),
    report_id: textOf(head.get('report_metadata/report_id')) ?? `${begin}-${end}`,
    begin,
    end,
    domain,
    policy: {
      p: policy('p'),
      sp: policy('sp'),
      np: policy('np'),
      adkim: policy('adkim'),
      aspf: policy('aspf'),
      pct: policy('pct'),
      testing: policy('testing'),
    },
    messages,
    passed,
    failed: messages - passed,
    quarantined: of(({ disposition }) => disposition === 'quarantine'),
    rejected: of(({ disposition }) => disposition === 'reject'),
    // Failures are what people ask about.
    rows: [...rows].sort((a, b) => Number(isPass(a)) - Number(isPass(b)) || b.count - a.count).slice(0, MAX_ROWS),
    rows_left_out: records - Math.min(rows.length, MAX_ROWS),
  }
}

/** Undefined without a source or count. */
function rowOf({ leaves, dkim, spf, reasons }: Draft): DmarcRow | undefined {
  const ip = addressOf(leaves.get('row/source_ip'))
  const count = countOf(leaves.get('row/count'))
  if (ip === null || count === null) return undefined
  const from = domainOfReport(leaves.get('identifiers/header_from')) ?? ''
  const dkimResults = dkim.map((one) => ({ ...resultOf(one), selector: textOf(one.get('selector'), 100) }))
  const spfResults = spf.map(resultOf)
  const evaluated = (name: 'dkim' | 'spf', results: { domain: string; result: string }[]): 'pass' | 'fail' => {
    const stated = leaves.get(`row/policy_evaluated/${name}`)?.toLowerCase()
    if (stated !== undefined) return stated === 'pass' ? 'pass' : 'fail'
    // Old drafts leave alignment to the reader.
    return results.some(({ domain, result }) => result === 'pass' && isSameOrganisation(domain, from)) ? 'pass' : 'fail'
  }
  const disposition = leaves.get('row/policy_evaluated/disposition')?.toLowerCase()
  const passFirst = (a: { result: string }, b: { result: string }): number =>
    Number(b.result === 'pass') - Number(a.result === 'pass')
  return {
    source_ip: ip,
    count,
    disposition: disposition === 'quarantine' || disposition === 'reject' ? disposition : 'none',
    dkim: evaluated('dkim', dkimResults),
    spf: evaluated('spf', spfResults),
    header_from: from,
    envelope_from: domainOfReport(leaves.get('identifiers/envelope_from')),
    dkim_results: dkimResults.sort(passFirst).slice(0, MAX_RESULTS),
    spf_results: spfResults.sort(passFirst).slice(0, MAX_RESULTS),
    reasons: [...new Set(reasons.map((reason) => textOf(reason, 40) ?? ''))].filter(Boolean).slice(0, MAX_REASONS),
  }
}

function resultOf(leaves: Leaves): { domain: string; result: string } {
  return {
    domain: domainOfReport(leaves.get('domain')) ?? '',
    result: textOf(leaves.get('result'), 20)?.toLowerCase() ?? 'none',
  }
}
