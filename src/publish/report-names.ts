/** Local parts of the addresses for reports in a domain's DNS records. */
export const REPORT_NAMES = { dmarc: 'dmarc-reports', tls: 'tls-reports' } as const
