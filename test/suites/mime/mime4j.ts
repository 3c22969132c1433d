/**
 * mime4j's messages, with the tree it finds in each: `X_decoded.xml` for `X.msg`, whose leaves are files with the decoded content. Compared
 * are nesting, header fields and content. Of messages within messages, which are one part here, that part is read in turn.
 */
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Entity } from '../../../src/mime/entity.js'
import { decodedContent } from '../../../src/mime/part.js'
import { readStructure } from '../../../src/mime/structure.js'
import { limits } from '../../mime/support.js'
import { examine, filesIn } from './mime-cost.js'
import type { Difference, Suite } from '../suite.js'

type Tree =
  | { kind: 'multipart'; fields: string[]; parts: Tree[] }
  | { kind: 'message'; fields: string[]; message: Tree }
  | { kind: 'leaf'; fields: string[]; content: string }

const NO_PARTS =
  'the suite expects only a preamble in a multipart without parts; here it is shown as text, so that it is not lost'

const CUT_OFF = 'truncated base64: the complete octets are kept here'
const NO_HEADER = 'a text without a header is all body here; the suite loses its first or last lines'

export const mime4jSuite: Suite = {
  folder: 'mime-mime4j',
  title: 'Apache James Mime4J: messages and their trees',
  rule: 'RFC 2046',
  size: 80,
  explanations: {
    'badbound.msg': NO_PARTS,
    'missing-boundary.msg': NO_PARTS,
    'missing-inner-boundary.msg': NO_PARTS,
    'missing-inner-start-boundary.msg': NO_PARTS,
    'multipartnopart.msg': NO_PARTS,
    'frag.msg': CUT_OFF,
    'multi-frag.msg': CUT_OFF,
    'malformedHeader-noheader.msg': NO_HEADER,
    'malformedHeaderStartsBody-noheader.msg': NO_HEADER,
    'malformedHeaderStartsBody-nocrlfcrlf.msg':
      'a header line that is not a field is skipped, as malformedHeader-nocrlfcrlf.msg, which is the same message, expects',
  },
  async run(dir) {
    const messages = filesIn(dir).filter((file) => file.endsWith('.msg') && existsSync(expectationOf(file)))
    const differences: Difference[] = []
    for (const file of messages) {
      const raw = readFileSync(file)
      differences.push(...(await examine(basename(file), raw)))
      const wanted = show(readXml(expectationOf(file)))
      const got = show(await toTree(readStructure(raw, limits)))
      if (got !== wanted) differences.push({ case: basename(file), ...firstDifference(got, wanted) })
    }
    return { total: messages.length, differences }
  },
}

function expectationOf(message: string): string {
  return message.replace(/\.msg$/, '_decoded.xml')
}

async function toTree(entity: Entity): Promise<Tree> {
  const fields = entity.headerLines.filter(({ key }) => /^[!-9;-~]+$/.test(key)).map(({ line }) => plainField(line))
  if (entity.children.length > 0) {
    return { kind: 'multipart', fields, parts: await Promise.all(entity.children.map(toTree)) }
  }
  const content = await decodedContent(entity)
  if (entity.contentType === 'message/rfc822')
    return { kind: 'message', fields, message: await toTree(readStructure(content, limits)) }
  return { kind: 'leaf', fields, content: plainContent(content) }
}

const TOKEN =
  /<(\/?)(message|header|field|multipart|preamble|epilogue|body-part|text-body|binary-body)(?: name="([^"]*)")?(\/?)>/g

function readXml(file: string): Tree {
  const xml = readFileSync(file, 'latin1')
  const tokens = [...xml.matchAll(TOKEN)]
  let at = 0
  const textOf = (end: number): string => {
    const open = tokens[end - 1]
    const start = (open?.index ?? 0) + (open?.[0].length ?? 0)
    return unescapeXml(xml.slice(start, tokens[end]?.index))
  }
  const entity = (): Tree => {
    at++
    const fields: string[] = []
    for (at++; tokens[at]?.[2] !== 'header'; at += 2) fields.push(plainField(textOf(at + 1).replace(/^\n/, '')))
    at++
    const tree = body(fields)
    at++
    return tree
  }
  const body = (fields: string[]): Tree => {
    const token = tokens[at]
    if (token?.[2] === 'message') return { kind: 'message', fields, message: entity() }
    if (token?.[2] === 'multipart') {
      const parts: Tree[] = []
      for (at++; tokens[at]?.[1] !== '/';) {
        if (tokens[at]?.[2] === 'body-part') parts.push(entity())
        else at += 2
      }
      at++
      return { kind: 'multipart', fields, parts }
    }
    at++
    return { kind: 'leaf', fields, content: plainContent(readFileSync(join(dirname(file), token?.[3] ?? ''))) }
  }
  return entity()
}

const unescapeXml = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')

/** The white space of folds is written in several ways. */
const plainField = (line: string): string =>
  line
    .replace(/\s+/g, ' ')
    .replace(/^([^:]*?) ?: ?/, '$1: ')
    .trim()
/** Line ends of the suite's files were changed by the way they were kept; what is left are the lines. */
const plainContent = (content: Buffer): string => content.toString('latin1').replace(/\r+\n/g, '\n').replace(/\n+$/, '')

function show(tree: Tree, indent = ''): string {
  const header = tree.fields.map((field) => `${indent}  ${field}\n`).join('')
  if (tree.kind === 'leaf') return `${indent}leaf\n${header}${indent}  ${JSON.stringify(tree.content)}\n`
  const inner = tree.kind === 'message' ? [tree.message] : tree.parts
  return `${indent}${tree.kind}\n${header}${inner.map((part) => show(part, `${indent}    `)).join('')}`
}

function firstDifference(got: string, wanted: string): { got: string; wanted: string } {
  const ours = got.split('\n')
  const theirs = wanted.split('\n')
  const line = ours.findIndex((text, i) => text !== theirs[i])
  const around = (text: string | undefined, other: string | undefined): string => {
    let from = 0
    while (text !== undefined && text[from] === other?.[from] && from < text.length) from++
    return `line ${line}: …${text?.slice(Math.max(0, from - 30), from + 60) ?? 'nothing'}`
  }
  return { got: around(ours[line], theirs[line]), wanted: around(theirs[line], ours[line]) }
}
