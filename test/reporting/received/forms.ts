/** Reports in the forms in which several reporters write them: same facts, other dress. */

export const BEGIN = Date.UTC(2026, 10, 20) / 1000
export const END = BEGIN + 86_399

interface Row {
  ip?: string
  count?: number | string
  disposition?: string
  dkim?: string
  spf?: string
  from?: string
  /** The rest of the record. */
  auth?: string
  reason?: string
}

export function record({
  ip = '192.0.2.1',
  count = 2,
  disposition = 'none',
  dkim = 'pass',
  spf = 'pass',
  from = 'agents.test',
  auth = '<dkim><domain>agents.test</domain><result>pass</result><selector>r1</selector></dkim><spf><domain>agents.test</domain><result>pass</result></spf>',
  reason = '',
}: Row = {}): string {
  return `<record><row><source_ip>${ip}</source_ip><count>${count}</count><policy_evaluated><disposition>${disposition}</disposition><dkim>${dkim}</dkim><spf>${spf}</spf>${reason}</policy_evaluated></row><identifiers><header_from>${from}</header_from></identifiers><auth_results>${auth}</auth_results></record>`
}

export function dmarc({
  org = 'google.com',
  id = '123456789',
  domain = 'agents.test',
  begin = BEGIN,
  end = END,
  records = [record()],
  open = '<?xml version="1.0" encoding="UTF-8" ?>\n<feedback>',
  version = '',
}: {
  org?: string
  id?: string
  domain?: string
  begin?: number | string
  end?: number | string
  records?: string[]
  open?: string
  version?: string
} = {}): string {
  return `${open}${version}<report_metadata><org_name>${org}</org_name><email>noreply@${org}</email><report_id>${id}</report_id><date_range><begin>${begin}</begin><end>${end}</end></date_range></report_metadata><policy_published><domain>${domain}</domain><adkim>r</adkim><aspf>r</aspf><p>quarantine</p><sp>quarantine</sp><pct>100</pct></policy_published>${records.join('')}</feedback>`
}

export const tls = (change: Record<string, unknown> = {}): Record<string, unknown> => ({
  'organization-name': 'Google Inc.',
  'date-range': { 'start-datetime': '2026-11-20T00:00:00Z', 'end-datetime': '2026-11-20T23:59:59Z' },
  'contact-info': 'smtp-tls-reporting@google.com',
  'report-id': '2026-11-20T00:00:00Z_agents.test',
  policies: [
    {
      policy: { 'policy-type': 'sts', 'policy-string': ['version: STSv1'], 'policy-domain': 'agents.test' },
      summary: { 'total-successful-session-count': 10, 'total-failure-session-count': 3 },
      'failure-details': [
        {
          'result-type': 'certificate-expired',
          'sending-mta-ip': '198.51.100.7',
          'receiving-mx-hostname': 'mx.agents.test',
          'failed-session-count': 3,
        },
      ],
    },
  ],
  ...change,
})

/** A mail with a report attached, as most reporters send it. */
export function reportMail(
  file: Buffer,
  {
    from = 'noreply@google.com',
    to = 'dmarc-reports@agents.test',
    subject = 'Report domain: agents.test Submitter: google.com Report-ID: <123456789>',
    type = 'application/gzip',
    name = `google.com!agents.test!${BEGIN}!${END}.xml.gz`,
  } = {},
): Buffer {
  const base64 = file.toString('base64').match(/.{1,76}/g) ?? []
  const lines = [
    `From: <${from}>`,
    `To: <${to}>`,
    `Subject: ${subject}`,
    'MIME-Version: 1.0',
    `Content-Type: ${type}; name="${name}"`,
    `Content-Disposition: attachment; filename="${name}"`,
    'Content-Transfer-Encoding: base64',
    '',
    ...base64,
    '',
  ]
  return Buffer.from(lines.join('\r\n'), 'latin1')
}
