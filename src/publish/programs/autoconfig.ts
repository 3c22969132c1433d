/** The autoconfig document of a domain (draft-ietf-mailmaint-autoconfig), which Thunderbird, K-9, Evolution and others read. */
import { escapeHtml } from '../../lib/text.js'
import type { ProgramService } from './services.js'

const SOCKET_TYPES = { tls: 'SSL', starttls: 'STARTTLS' } as const

/**
 * The same for every address of the domain: programs fill in theirs.
 *
 * @param name of the service, for people
 */
export function autoconfigDocument(domain: string, name: string, services: readonly ProgramService[]): string {
  const text = escapeHtml
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<clientConfig version="1.1">',
    `  <emailProvider id="${text(domain)}">`,
    `    <domain>${text(domain)}</domain>`,
    `    <displayName>${text(name)}</displayName>`,
    `    <displayShortName>${text(name)}</displayShortName>`,
    ...services.flatMap(serverLines),
    '  </emailProvider>',
    '</clientConfig>',
    '',
  ].join('\n')
}

function serverLines({ protocol, host, port, security }: ProgramService): string[] {
  const element = protocol === 'imap' ? 'incomingServer' : 'outgoingServer'
  return [
    `    <${element} type="${protocol}">`,
    `      <hostname>${escapeHtml(host)}</hostname>`,
    `      <port>${port}</port>`,
    `      <socketType>${SOCKET_TYPES[security]}</socketType>`,
    '      <username>%EMAILADDRESS%</username>',
    // OAuth2 is not named: a program that prefers it would need a client id, which none has before it registers.
    '      <authentication>password-cleartext</authentication>',
    `    </${element}>`,
  ]
}
