/** What alone allows a message to be blocked: things that no honest mail has, or has together. */
import { isRequest } from '../signals/combined.js'
import type { Finding } from '../finding.js'

/** Hard by themselves. */
const ALONE = new Set(['test_virus', 'double_extension', 'reversed_file_name', 'known_bad_link'])
/** A host or sender that imitates a well-known one, hard with a request for secrets. */
const IMITATIONS = new Set(['lookalike_host', 'brand_in_host', 'lookalike_sender'])
const FORMS = new Set(['form_to_other_host', 'password_field'])
/** An address of another owner before the host, where readers look for it. */
const POSES_AS_HOST = 0.8

/** The finding that allows a block, or undefined when a person has to look first. */
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
