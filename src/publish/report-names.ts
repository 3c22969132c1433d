/** Local parts of the addresses to which a domain's DNS records ask for reports. */
export const REPORT_NAMES = { dmarc: 'dmarc-reports', tls: 'tls-reports' } as const
