/** Messages of the scenes. The same files and numbers make the same messages. */
import { readdirSync, readFileSync } from 'node:fs'
import { createRandom, type Random } from '../generated/template.js'
import type { Sample } from '../sample.js'
import { CLASSES } from './classes.js'
import { createFill, type Fill } from './fill.js'
import { parseScenes, type Draft, type Lists, type Scene } from './parse.js'
import { splitOf, type Split } from './split.js'

const STYLES_FOLDER = 'training/scenes/styles'
const LINK = /<<([^|<>]*)\|([^|<>]*)>>/g
const BARE_LINK = /\bhttps?:\/\/[^\s<>"]+/g
/** Share of the messages without links of their own text that have HTML. */
const HTML_SHARE = 0.3

/** @param each tellings of each message of a scene */
export function scenes(split: Split, each: number): Sample[] {
  return readdirSync(STYLES_FOLDER)
    .sort()
    .flatMap((style) =>
      readdirSync(`${STYLES_FOLDER}/${style}`)
        .filter((name) => splitOf(style, languageOf(name)) === split)
        .sort()
        .flatMap((name) => samplesOf(style, name, each)),
    )
}

export function samplesOf(style: string, name: string, each: number): Sample[] {
  const path = `${STYLES_FOLDER}/${style}/${name}`
  const language = languageOf(name)
  const file = parseScenes(readFileSync(path, 'utf8'), path)
  return file.scenes.flatMap((scene) =>
    scene.messages.flatMap((draft, which) =>
      Array.from({ length: each }, (_, index) => {
        const random = createRandom(`${style}/${language}/${scene.id}/${which}#${index}`)
        try {
          return told(scene, draft, { style, language, lists: [scene.lists, file.lists], random })
        } catch (error) {
          throw new Error(`${path}: ${scene.id}: ${error instanceof Error ? error.message : String(error)}`)
        }
      }),
    ),
  )
}

interface Telling {
  style: string
  language: string
  lists: Lists[]
  random: Random
}

function told(scene: Scene, { isHonest, heads, body }: Draft, { style, language, lists, random }: Telling): Sample {
  const fill = createFill(language, lists, random)
  const text = fill(kept(body, random))
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  const hidden = fill(heads.get('Hidden') ?? '').trim()
  const isHtml = text.includes('<<') || hidden !== '' || random.chance(HTML_SHARE)
  const plain = text.replace(LINK, '$1: $2')
  const [least = 1, most = least] = (heads.get('To') ?? '1').split('-').map(Number)
  const links = isHtml ? linksOf(text) : bareLinks(plain)
  return {
    label: isHonest ? 'legitimate' : CLASSES[scene.abuse],
    source: `scenes/${style}`,
    template: `${style}/${language}/${scene.id}`,
    abuse: scene.abuse,
    language,
    subject: fill(heads.get('Subject') ?? '').trim(),
    text: isHtml && random.chance(0.4) ? '' : plain,
    html: isHtml ? htmlOf(text, hidden, random) : null,
    from: addressOf(fill(heads.get('From') ?? '{first} {last} <{readeraddress2}>')),
    replyTo: replyOf(heads, fill),
    links,
    recipientCount: random.int(least, most),
    attachments: attachmentsOf(fill(heads.get('Attach') ?? ''), random),
  }
}

/** Without the lines that this telling leaves out. */
function kept(body: string, random: Random): string {
  return body
    .split('\n')
    .flatMap((line) => {
      const [, marks = '', rest = ''] = /^(\?{0,2}) ?(.*)$/.exec(line) ?? []
      const share = marks === '??' ? 0.25 : marks === '?' ? 0.5 : 1
      return marks === '' ? [line] : random.chance(share) ? [rest] : []
    })
    .join('\n')
}

function replyOf(heads: Draft['heads'], fill: Fill): Sample['replyTo'] {
  const head = heads.get('Reply-To')
  return head === undefined ? [] : [addressOf(fill(head))]
}

function addressOf(text: string): { address: string; name: string } {
  const [, name = '', address = text] = /^(.*?)\s*<([^<>]+)>$/.exec(text.trim()) ?? []
  return { address: address.trim(), name: name.replace(/^"|"$/g, '') }
}

function linksOf(text: string): Sample['links'] {
  const named = [...text.matchAll(LINK)].map(([, shown = '', target = '']) => ({ target, text: shown }))
  return [...named, ...bareLinks(text.replace(LINK, '$1'))]
}

function bareLinks(text: string): Sample['links'] {
  return [...text.matchAll(BARE_LINK)].map(([target]) => {
    const bare = target.replace(/[.,;:!?)]+$/, '')
    return { target: bare, text: bare }
  })
}

function htmlOf(text: string, hidden: string, random: Random): string {
  const paragraphs = text.split(/\n\n+/).map((paragraph) => `<p>${lineOf(paragraph).replaceAll('\n', '<br>\n')}</p>`)
  if (hidden !== '') {
    const style = random.pick([
      'display:none',
      'font-size:0',
      'color:#ffffff',
      'opacity:0',
      'position:absolute;left:-9999px',
    ])
    paragraphs.splice(random.int(0, paragraphs.length), 0, `<div style="${style}">${escaped(hidden)}</div>`)
  }
  return `<html><body>\n${paragraphs.join('\n')}\n</body></html>`
}

function lineOf(text: string): string {
  let html = ''
  let from = 0
  for (const found of text.matchAll(LINK)) {
    html += `${escaped(text.slice(from, found.index))}<a href="${escaped(found[2] ?? '')}">${escaped(found[1] ?? '')}</a>`
    from = found.index + found[0].length
  }
  return html + escaped(text.slice(from))
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

const TYPES: Record<string, string> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  zip: 'application/zip',
  png: 'image/png',
  jpg: 'image/jpeg',
  html: 'text/html',
  txt: 'text/plain',
  csv: 'text/csv',
  ics: 'text/calendar',
}

function attachmentsOf(names: string, random: Random): Sample['attachments'] {
  return names
    .split(';')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((filename) => ({
      filename,
      contentType: TYPES[filename.split('.').pop()?.toLowerCase() ?? ''] ?? 'application/octet-stream',
      sizeBytes: random.int(2000, 900_000),
    }))
}

function languageOf(name: string): string {
  return name.replace(/\.txt$/, '')
}
