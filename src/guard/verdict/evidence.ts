/** Hard evidence, which alone allows a block: signs or combinations that no honest mail has. */
import { isRequest } from '../signals/combined.js'
import type { Finding } from '../finding.js'

/** Hard evidence by themselves. */
const ALONE = new Set(['test_virus', 'double_extension', 'disguised_program', 'reversed_file_name', 'known_bad_link'])
/** Hosts or senders that imitate a well-known one: hard together with a request for secrets. */
const IMITATIONS = new Set(['lookalike_host', 'brand_in_host', 'lookalike_sender'])
const FORMS = new Set(['form_to_other_host', 'password_field'])
/** A user name in a link that poses as a host of another owner. */
const POSES_AS_HOST = 0.8

/** The finding that allows a block; undefined when staff must review first. */
export function isHardEvidence(findings: Finding[]): Finding | undefined {
  const alone = findings.find(({ code }) => ALONE.has(code))
  if (alone) return alone
  const has = (code: string): boolean => findings.some((finding) => finding.code === code)
  if (has('form_to_other_host') && has('password_field')) return findings.find(({ code }) => FORMS.has(code))
  if (!findings.some(isRequest) && !has('password_field')) return undefined
  return findings.find(
    ({ code, weight }) => IMITATIONS.has(code) || (code === 'user_info_in_link' && weight >= POSES_AS_HOST),
  )
}
