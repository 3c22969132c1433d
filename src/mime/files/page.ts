/**
 * HTML and SVG files read as the pages that they become when opened: files that a script builds (HTML smuggling), redirections, password fields, and
 * links. Patterns are bounded, so reading is linear in the length.
 */
import { decodeReferences, htmlAnchors } from '../html/html.js'
import { MAX_FILE_LINKS, type FileFacts, type FileSign } from '../types.js'

/** A page with no more than this shows nothing but what it leads to. */
const SMALL_PAGE_CHARS = 8 * 1024

/** Base64 of a program, ZIP, RAR, 7z, gzip, or shortcut, long enough to be a file. */
const PACKED_FILE = /["'`,>](TV[opqr][A-Za-z0-9]|UEsDB|UmFyIR|N3q8rw|H4sI|TAAAAAEUAg)[A-Za-z0-9+/=\\\r\n]{200}/
const BUILDS = /\bnew Blob\b|msSaveOrOpenBlob|createObjectURL|\bnew File\s*\(/
const DOWNLOADS = /\.download\s*=|setAttribute\s*\(\s*["']download|msSaveOrOpenBlob|<a\s[^<>]{0,200}\sdownload\b/
const DATA_FILE =
  /data:application\/(?:octet-stream|x-msdownload|zip|x-zip-compressed|x-rar[\w-]{0,20}|java-archive|hta);base64,[A-Za-z0-9+/]{40}/i
const REFRESH = /<meta\s[^<>]{0,200}http-equiv\s*=\s*["']?refresh[^<>]{0,100}url\s*=\s*["']?([^"'<>\s]{4,2048})/i
const MOVES =
  /\b(?:(?:window|document|top|self|parent)\.)?location(?:\.href)?\s{0,5}=\s{0,5}["'`]([^"'`]{4,2048})|\blocation\.(?:replace|assign)\s{0,5}\(\s{0,5}["'`]([^"'`]{4,2048})/
const HIDES =
  /\b(?:eval|Function)\s{0,5}\(\s{0,5}(?:atob|unescape|decodeURIComponent|String\.fromCharCode)\b|document\.write(?:ln)?\s{0,5}\(\s{0,5}(?:atob|unescape|decodeURIComponent)\b/
const PASSWORD = /<input\s[^<>]{0,500}type\s{0,5}=\s{0,5}["']?password/i
const SCRIPT_IN_PICTURE =
  /<script\b|\son(?:load|click|begin|error|mouseover)\s{0,5}=|<foreignObject\b[^>]{0,200}>[^]{0,2000}<(?:form|input|iframe)\b|href\s{0,5}=\s{0,5}["']\s{0,5}javascript:/i

/** @param text the page, decoded */
export function pageFacts(text: string, isPicture: boolean): FileFacts {
  const signs: FileSign[] = []
  const add = (code: FileSign['code'], detail: string): void => {
    signs.push({ code, detail: detail.replace(/\s+/g, ' ').slice(0, 120) })
  }
  const packed = PACKED_FILE.exec(text)
  const data = DATA_FILE.exec(text)
  const builds = /\batob\s*\(|Uint8Array/.test(text) && BUILDS.test(text)
  if (packed && (builds || DOWNLOADS.test(text))) add('carries_file', packed[0].slice(1, 40))
  else if (data && DOWNLOADS.test(text)) add('carries_file', data[0].slice(0, 80))
  else if (builds && DOWNLOADS.test(text) && /\.click\s*\(/.test(text)) add('builds_file', 'new Blob')

  const password = PASSWORD.exec(text)
  if (password) add('asks_password', password[0])
  const hidden = HIDES.exec(text)
  if (hidden) add('hides_script', hidden[0])
  const moves = text.length <= SMALL_PAGE_CHARS ? (REFRESH.exec(text) ?? MOVES.exec(text)) : null
  const target = moves?.[1] ?? moves?.[2]
  if (moves && target !== undefined && /^(?:https?:)?\/\//i.test(target)) add('redirects', target)
  const active = isPicture ? SCRIPT_IN_PICTURE.exec(text) : null
  if (active) add('picture_script', active[0])
  return { signs, links: linksIn(text, target) }
}

function linksIn(text: string, target: string | undefined): string[] {
  const actions = [...text.matchAll(/<form\s[^<>]{0,500}action\s{0,5}=\s{0,5}["']?([^"'\s<>]{1,2048})/gi)].slice(
    0,
    MAX_FILE_LINKS,
  )
  const found = [
    ...(target === undefined ? [] : [target]),
    ...actions.map(([, action = '']) => decodeReferences(action)),
    ...htmlAnchors(text).map((anchor) => anchor.target),
  ]
  return [...new Set(found)].filter((link) => /^[a-z][\w+.-]{1,30}:/i.test(link)).slice(0, MAX_FILE_LINKS)
}
