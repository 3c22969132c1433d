/** Constructors of findings and remedies. */
import { oneLine } from '../../lib/text.js'
import type { Finding, Remedy, State } from './types.js'

const MAX_SHOWN_CHARS = 300

const found =
  (state: State) =>
  (finding: string, ...remedy: Remedy[]): Finding => ({ state, finding: oneLine(finding), remedy })

export const ok = found('ok')
export const warning = found('warning')
export const failed = found('failed')
export const unknown = found('unknown')
export const skipped = found('skipped')

/** A shell command, as root if needed. */
export const command = (text: string): Remedy => ({ kind: 'command', text, file: null })
export const record = (text: string): Remedy => ({ kind: 'record', text, file: null })
export const advice = (text: string): Remedy => ({ kind: 'advice', text, file: null })

/** A line of a settings file. @param name `smtp.tls_cert` @param value in TOML */
export function setting(name: string, value: string): Remedy {
  const [section = '', key = ''] = name.split('.')
  return { kind: 'setting', text: `${key} = ${value}`, file: `${section}.toml` }
}

export function about(subject: string, finding: Finding): Finding {
  return { ...finding, subject }
}

/** Untrusted text, made safe for a finding. */
export function shown(text: string): string {
  return oneLine(text).slice(0, MAX_SHOWN_CHARS)
}

export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
