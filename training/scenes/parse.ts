/** Reads a file of scenes as README.md describes it. A mistake is an error with its line. */
import { isAbuseClass, type AbuseClass } from './classes.js'

export interface SceneFile {
  lists: Lists
  scenes: Scene[]
}

/** Entries by name. */
export type Lists = Map<string, string[]>

export interface Scene {
  id: string
  abuse: AbuseClass
  lists: Lists
  messages: Draft[]
}

export interface Draft {
  isHonest: boolean
  heads: Map<Head, string>
  body: string
}

const HEADS = ['From', 'Reply-To', 'Subject', 'To', 'Attach', 'Hidden'] as const
export type Head = (typeof HEADS)[number]
const NEEDED = ['first', 'last', 'company', 'city']
const LIST = /^([a-z][a-z]*) = (.*)$/
const HEAD = /^([A-Z][A-Za-z-]+): ?(.*)$/

export function parseScenes(text: string, name: string): SceneFile {
  const fail = (line: number, problem: string): never => {
    throw new Error(`${name}:${line + 1}: ${problem}`)
  }
  const file: SceneFile = { lists: new Map(), scenes: [] }
  let scene: Scene | undefined
  let draft: { isHonest: boolean; heads: Map<Head, string>; lines: string[]; inBody: boolean; from: number } | undefined
  const endDraft = (): void => {
    if (!draft || !scene) return
    const body = draft.lines.join('\n').trim()
    if (!draft.heads.has('Subject')) fail(draft.from, 'the message has no Subject')
    if (/\[[^[\]]*<<[^\]]*\|[^\]]*\]/.test(body.replace(/\n/g, ' ')))
      fail(draft.from, 'a link <<text|target>> stands within [choices]')
    if (/\{[\p{L}\p{N} ]+\|/u.test(body)) fail(draft.from, 'choices stand in {braces}, not in [brackets]')
    if (body === '') fail(draft.from, 'the message has no body')
    if (count(body, '[') !== count(body, ']')) fail(draft.from, 'the message does not close all of its [choices]')
    scene.messages.push({ isHonest: draft.isHonest, heads: draft.heads, body })
    draft = undefined
  }
  const endScene = (line: number): void => {
    endDraft()
    if (!scene) return
    if (!scene.messages.some(({ isHonest }) => isHonest)) fail(line - 1, `${scene.id} has no ## honest`)
    if (!scene.messages.some(({ isHonest }) => !isHonest)) fail(line - 1, `${scene.id} has no ## abuse`)
  }
  const lines = text.split('\n')
  for (const [at, line] of lines.entries()) {
    if (line.startsWith('### ')) {
      endScene(at)
      const [id = '', abuse = ''] = line.slice(4).trim().split(/\s+/)
      if (!isAbuseClass(abuse)) return fail(at, `there is no class called ${JSON.stringify(abuse)}`)
      if (file.scenes.some((other) => other.id === id)) fail(at, `there is a scene ${id} already`)
      scene = { id, abuse, lists: new Map(), messages: [] }
      file.scenes.push(scene)
    } else if (line === '## honest' || line === '## abuse') {
      endDraft()
      if (!scene) fail(at, 'a message stands in front of the first scene')
      draft = { isHonest: line === '## honest', heads: new Map(), lines: [], inBody: false, from: at }
    } else if (draft?.inBody) draft.lines.push(line)
    else if (draft) {
      const [, head = '', value = ''] = HEAD.exec(line) ?? []
      if (line.trim() === '') draft.inBody = draft.heads.size > 0
      else if (isHead(head)) draft.heads.set(head, value)
      else fail(at, `this is no head line: ${line}`)
    } else if (line.trim() !== '' && !line.startsWith('//')) {
      const [, list = '', entries = ''] = LIST.exec(line) ?? []
      if (list === '') fail(at, `this is no list: ${line}`)
      ;(scene ?? file).lists.set(list, entriesOf(entries))
    }
  }
  endScene(lines.length)
  for (const needed of NEEDED) if (!file.lists.has(needed)) fail(0, `the list ${needed} is missing`)
  return file
}

/** Entries stand between ` | `, those of choices do not count. */
function entriesOf(text: string): string[] {
  const entries: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '[') depth++
    else if (text[at] === ']') depth--
    else if (text[at] === '|' && depth === 0) {
      entries.push(text.slice(from, at).trim())
      from = at + 1
    }
  }
  return [...entries, text.slice(from).trim()]
}

function isHead(name: string): name is Head {
  return HEADS.some((head) => head === name)
}

function count(text: string, sign: string): number {
  return text.split(sign).length - 1
}
