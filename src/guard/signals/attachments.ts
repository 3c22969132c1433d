/** Attachments that run when opened, and names that hide it. */
import { found as finding, type FindingCode } from '../reason-codes.js'
import type { Finding } from '../finding.js'
import { contentFindings } from './file-content.js'
import type { FileFacts } from '../../mime/types.js'
import type { GuardAttachment, GuardReason, GuardSubject } from '../types.js'

type Attachment = Omit<GuardAttachment, 'sizeBytes'>

/** Programs and scripts: most receivers refuse them outright. */
const PROGRAM =
  /\.(?:exe|scr|com|pif|cpl|msi|msp|hta|jse?|vb[es]?|wsf|wsh|bat|cmd|ps1|lnk|jar|scf|reg|appx|chm|gadget|dll|sct|application|apk|dmg|pkg|xll|wll|msix|msixbundle|appxbundle|appinstaller|library-ms|search-ms|searchconnector-ms|settingcontent-ms|jnlp|msc|psm1|psd1|inf)$/i
/** Files that open something else without a program of their own: pages, servers, queries, embedded files. */
const OPENER = /\.(?:one|onepkg|url|website|webloc|desktop|iqy|slk|rdp|xps|theme|wim)$/i
/** HTML pages, which open outside the protection of the mail program. */
const PAGE = /\.(?:x?html?|shtml?|xht|mht|mhtml|svgz?)$/i
/** Disk images, which strip the mark that their files come from outside. */
const IMAGE = /\.(?:iso|img|vhdx?)$/i
const MACROS = /\.(?:doc|dot|xls|xlt|ppt|pot|pps)m$|\.xlam$|\.ppam$|\.xlsb$/i
const DOCUMENT = /\.(?:pdf|docx?|xlsx?|pptx?|txt|rtf|csv|jpe?g|png|gif|mp[34]|zip|html?)[\s._-]*\.[a-z0-9]{2,6}$/i
const PROGRAM_TYPE =
  /^application\/(?:x-msdownload|x-msdos-program|x-dosexec|x-executable|vnd\.microsoft\.portable-executable|hta)$/i
/** Characters that change the direction of text: `invoice\u202efdp.exe` shows as `invoiceexe.pdf`. */
const TURNS_TEXT = /[\u202a-\u202e\u2066-\u2069]/

/** The macros in the ZIP of an Office document. */
const MACRO_PART = /(?:^|\/)vbaProject\.bin$/i
/** Documents that are ZIP files internally. */
const PACKED_DOCUMENT = /\.(?:doc|dot|xls|xlt|ppt|pot)[xm]$|\.(?:od[tspgf]|epub|jar|apk|xpi|crx|whl|nupkg|vsix)$/i
const SHORTEST_HIDING_GAP = /\s{5,}/

/** At most one finding of each code, for the first attachment that matches. */
export function attachmentFindings(attachments: Attachment[]): Finding[] {
  const found = new Map<string, Finding>()
  for (const attachment of attachments) {
    for (const finding of judge(attachment)) if (!found.has(finding.code)) found.set(finding.code, finding)
  }
  return [...found.values()]
}

/** What was read in attachments, and in pictures within the HTML. */
export function filesOf({ attachments, displayed }: Pick<GuardSubject, 'attachments' | 'displayed'>): FileFacts[] {
  return [...attachments.flatMap(({ file }) => file ?? []), ...(displayed?.pictures ?? [])]
}

/** Each link costs some microseconds, and a message may have a thousand files of fifty links. */
const MAX_FILE_LINKS = 1000

/** Links in the files themselves, and in the codes of pictures, each once; a text that names another host is not known for them. */
export function linksInFiles(files: FileFacts[]): { target: string; text: string }[] {
  const targets = new Set<string>()
  for (const { links } of files) for (const target of links) if (targets.size < MAX_FILE_LINKS) targets.add(target)
  return [...targets].map((target) => ({ target, text: target }))
}

/** Risks of opening one attachment, for readers. */
export function attachmentRisk(attachment: Attachment): GuardReason[] {
  return [...judge(attachment)].map(({ code, detail }) => ({ code, detail }))
}

function* judge({ filename, contentType, archive, file }: Attachment): Generator<Finding> {
  const plain = filename.trim().normalize('NFKC')
  const isProgram = runs(plain)
  const say = (code: FindingCode, weight: number, detail: string): Finding => finding(code, weight, detail, filename)
  if (TURNS_TEXT.test(plain))
    yield say('reversed_file_name', 0.95, 'an attachment hides its extension by reversing the direction of text')
  else if (isProgram && (DOCUMENT.test(plain) || SHORTEST_HIDING_GAP.test(plain)))
    yield say('double_extension', 0.95, `the attachment ${shown(plain)} is a program disguised as a document`)
  else if (isProgram) yield say('program_attached', 0.7, `the attachment ${shown(plain)} runs when it is opened`)
  else if (PROGRAM_TYPE.test(contentType))
    yield say('program_attached', 0.7, `an attachment is declared as ${contentType}`)
  else if (OPENER.test(plain)) yield say('opener_attached', 0.3, `the attachment ${shown(plain)} opens something else`)

  if (MACROS.test(plain)) yield say('macros_attached', 0.4, `the attachment ${shown(plain)} may contain macros`)
  else if (archive?.names.some((name) => MACRO_PART.test(name)))
    yield say('hidden_macros', 0.7, `the attachment ${shown(plain)} contains macros, which its name does not show`)

  if (file) yield* contentFindings({ name: plain, contentType, hasProgramName: isProgram }, file, say)

  if (PAGE.test(plain) || /^text\/html$/i.test(contentType))
    yield say('html_attachment', 0.2, `the attachment ${shown(plain)} is an HTML page`)

  if (archive === undefined || PACKED_DOCUMENT.test(plain)) return
  const inside = archive.names.find(runs) ?? packedProgram(plain)
  if (inside !== undefined)
    yield say('program_in_archive', 0.5, `the attachment ${shown(plain)} contains a program, ${shown(inside)}`)
  if (archive.encrypted)
    yield say('encrypted_archive', 0.3, `the archive ${shown(plain)} is encrypted, so its files could not be checked`)
  else if (archive.partial)
    yield say('archive_not_searched', 0.1, `not everything in the archive ${shown(plain)} could be checked`)
}

/** The name of a compressed single file after unpacking: `invoice.exe` of `invoice.exe.gz`. */
function packedProgram(name: string): string | undefined {
  const unpacked = name.replace(/\.(?:gz|bz2|xz|zst)$/i, '')
  return unpacked !== name && runs(unpacked) ? unpacked : undefined
}

function runs(name: string): boolean {
  return PROGRAM.test(name) || IMAGE.test(name)
}

const shown = (filename: string): string => JSON.stringify(filename.slice(-60))
