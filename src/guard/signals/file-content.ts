/** Findings about what an attachment is and does, by its content. */
import type { FileFacts, FileSign } from '../../mime/types.js'
import type { Finding } from '../finding.js'
import type { FindingCode } from '../reason-codes.js'

interface Named {
  name: string
  contentType: string
  /** True if its name is that of a program, which is a finding of its own. */
  hasProgramName: boolean
}

type Say = (code: FindingCode, weight: number, detail: string) => Finding

/** Names that people open as documents, pictures, sound or text. */
const DOCUMENT_NAME = /\.(?:pdf|docx?|xlsx?|pptx?|od[tsp]|txt|rtf|csv|jpe?g|png|gif|webp|mp[34]|html?|eml|ics)$/i
const DOCUMENT_TYPE =
  /^(?:application\/(?:pdf|msword|vnd\.(?:ms-(?:excel|powerpoint)|openxmlformats))|image\/|audio\/|text\/)/i
const MACRO_NAME = /\.(?:doc|dot|xls|xlt|ppt|pot|pps)m$|\.xla[mx]?$|\.ppam$|\.xlsb$/i

const SIGNS: Partial<Record<FileSign['code'], [code: FindingCode, weight: number, what: string]>> = {
  embedded_object: ['embedded_object', 0.3, 'contains a packaged object'],
  embedded_program: ['embedded_program', 0.85, 'contains a program or script'],
  outside_part: ['outside_part', 0.7, 'loads a part from another server'],
  command_field: ['command_field', 0.7, 'has a field that starts a program'],
  encrypted: ['encrypted_document', 0.15, 'is encrypted'],
  runs_command: ['shortcut_command', 0.8, 'starts a command'],
  network_target: ['network_file', 0.6, 'opens something of another server'],
  carries_file: ['page_carries_file', 0.8, 'saves a file packed in it'],
  builds_file: ['page_builds_file', 0.3, 'builds a file and saves it'],
  hides_script: ['page_hides_script', 0.5, 'hides its script'],
  asks_password: ['page_asks_password', 0.6, 'asks for a password'],
  redirects: ['page_redirects', 0.45, 'only leads to another page'],
  picture_script: ['picture_script', 0.6, 'contains a script or form'],
  script: ['document_script', 0.2, 'contains a script'],
  launches: ['document_launches', 0.8, 'starts a program or opens another file'],
  not_read: ['attachment_not_read', 0.1, 'was not checked'],
}

export function* contentFindings(
  { name, contentType, hasProgramName }: Named,
  { kind, signs }: FileFacts,
  say: Say,
): Generator<Finding> {
  const shown = JSON.stringify(name.slice(-60))
  if (!hasProgramName && (kind === 'program' || kind === 'shortcut')) {
    const poses = DOCUMENT_NAME.test(name) || DOCUMENT_TYPE.test(contentType)
    if (poses) yield say('disguised_program', 0.95, `the attachment ${shown} is a program by its content`)
    else yield say('program_attached', 0.7, `the attachment ${shown} is a program by its content`)
  }
  if (!hasProgramName && kind === 'image' && (DOCUMENT_NAME.test(name) || DOCUMENT_TYPE.test(contentType)))
    yield say('program_attached', 0.7, `the attachment ${shown} is a disk image by its content`)
  if (kind === 'onenote' && !/\.one(?:pkg)?$/i.test(name))
    yield say('opener_attached', 0.5, `the attachment ${shown} is a OneNote section by its content`)
  for (const { code, detail } of signs) {
    if (code === 'macros') {
      // A binary document may have macros under any name; an OOXML one only under names that say so.
      if (kind === 'ole') yield say('macros_attached', 0.4, `the attachment ${shown} contains macros (${detail})`)
      else if (!MACRO_NAME.test(name))
        yield say('hidden_macros', 0.7, `the attachment ${shown} contains macros, which its name does not show`)
      else if (detail !== 'VBA') yield say('macros_attached', 0.5, `the attachment ${shown} contains ${detail}`)
      continue
    }
    const known = SIGNS[code]
    if (known)
      yield say(known[0], known[1], `the attachment ${shown} ${known[2]}: ${JSON.stringify(detail.slice(0, 100))}`)
  }
}
