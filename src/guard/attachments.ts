/** Attachments that run when they are opened, and names that hide it. */
import type { Finding } from './finding.js'

interface Attachment {
  filename: string
  contentType: string
}

/** Programs and what starts them: most receivers refuse these outright. */
const PROGRAM =
  /\.(?:exe|scr|com|pif|cpl|msi|msp|hta|jse?|vb[es]?|wsf|wsh|bat|cmd|ps1|lnk|jar|scf|reg|appx|chm|gadget|dll|sct|application|apk|dmg|pkg)$/i
/** Disk images, which carry programs past what marks them as coming from outside. */
const IMAGE = /\.(?:iso|img|vhdx?)$/i
const MACROS = /\.(?:doc|dot|xls|xlt|ppt|pot)m$|\.xlam$|\.ppam$/i
const DOCUMENT = /\.(?:pdf|docx?|xlsx?|pptx?|txt|rtf|csv|jpe?g|png|gif|mp[34]|zip|html?)[\s._-]*\.[a-z0-9]{2,6}$/i
const PROGRAM_TYPE =
  /^application\/(?:x-msdownload|x-msdos-program|x-dosexec|x-executable|vnd\.microsoft\.portable-executable|hta)$/i
/** Characters that turn the direction of text: `invoice\u202efdp.exe` shows as `invoiceexe.pdf`. */
const TURNS_TEXT = /[\u202a-\u202e\u2066-\u2069]/

/** One finding of a kind, with the first attachment that shows it. */
export function attachmentFindings(attachments: Attachment[]): Finding[] {
  const found = new Map<string, Finding>()
  for (const { filename, contentType } of attachments) {
    const finding = judge(filename.trim(), contentType)
    if (finding && !found.has(finding.code)) found.set(finding.code, finding)
  }
  return [...found.values()]
}

function judge(filename: string, contentType: string): Finding | undefined {
  const plain = filename.normalize('NFKC')
  const runs = PROGRAM.test(plain) || IMAGE.test(plain)
  if (TURNS_TEXT.test(plain))
    return malware('reversed_file_name', 0.95, 'an attachment hides its ending by turning the text around')
  if (runs && (DOCUMENT.test(plain) || /\s{5,}/.test(plain))) {
    return malware('double_extension', 0.95, `the attachment ${shown(plain)} is a program that poses as a document`)
  }
  if (runs) return malware('program_attached', 0.7, `the attachment ${shown(plain)} runs when it is opened`)
  if (PROGRAM_TYPE.test(contentType))
    return malware('program_attached', 0.7, `an attachment is declared as ${contentType}`)
  if (MACROS.test(plain)) return malware('macros_attached', 0.4, `the attachment ${shown(plain)} may hold macros`)
  return undefined
}

function malware(code: string, weight: number, detail: string): Finding {
  return { code, detail, category: 'malware', weight }
}

const shown = (filename: string): string => JSON.stringify(filename.slice(-60))
