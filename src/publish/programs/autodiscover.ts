/** Answers of autodiscover ([MS-OXDSCLI] §2.2.4), by which Outlook and others learn of IMAP and SMTP servers. Exchange's own protocols are not offered. */
import { escapeHtml } from '../../lib/text.js'
import type { ProgramService } from './services.js'

export const OUTLOOK_SCHEMA = 'http://schemas.microsoft.com/exchange/autodiscover/outlook/responseschema/2006a'
const ENVELOPE = 'http://schemas.microsoft.com/exchange/autodiscover/responseschema/2006'
/** [MS-OXDSCLI] §2.2.4.1.1.2.2: values of Encryption, which outdo SSL. */
const ENCRYPTION = { tls: 'SSL', starttls: 'TLS' } as const

/** @param address as the program gave it: the answer says nothing of whether it exists */
export function autodiscoverAnswer(address: string, services: readonly ProgramService[]): string {
  return envelope(OUTLOOK_SCHEMA, [
    '    <User>',
    `      <DisplayName>${escapeHtml(address)}</DisplayName>`,
    '    </User>',
    '    <Account>',
    '      <AccountType>email</AccountType>',
    '      <Action>settings</Action>',
    ...services.flatMap((service) => protocolLines(address, service)),
    '    </Account>',
  ])
}

function protocolLines(address: string, { protocol, host, port, security }: ProgramService): string[] {
  return [
    '      <Protocol>',
    `        <Type>${protocol.toUpperCase()}</Type>`,
    `        <Server>${escapeHtml(host)}</Server>`,
    `        <Port>${port}</Port>`,
    '        <DomainRequired>off</DomainRequired>',
    `        <LoginName>${escapeHtml(address)}</LoginName>`,
    '        <SPA>off</SPA>',
    '        <SSL>on</SSL>',
    `        <Encryption>${ENCRYPTION[security]}</Encryption>`,
    '        <AuthRequired>on</AuthRequired>',
    // The user name and password for reading are those for sending.
    ...(protocol === 'smtp' ? ['        <UsePOPAuth>on</UsePOPAuth>', '        <SMTPLast>off</SMTPLast>'] : []),
    '      </Protocol>',
  ]
}

/** For a program that asks in another schema, such as ActiveSync's. @param now milliseconds since the epoch */
export function autodiscoverRefusal(now: number): string {
  const time = new Date(now).toISOString().slice(11, 23)
  return envelope('', [
    `    <Error Time="${time}" Id="0">`,
    // [MS-OXDSCLI] §2.2.4.1.1.1: there is no provider for the requested schema.
    '      <ErrorCode>601</ErrorCode>',
    '      <Message>Provider is not available</Message>',
    '      <DebugData />',
    '    </Error>',
  ])
}

function envelope(schema: string, lines: readonly string[]): string {
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    `<Autodiscover xmlns="${ENVELOPE}">`,
    `  <Response${schema === '' ? '' : ` xmlns="${schema}"`}>`,
    ...lines,
    '  </Response>',
    '</Autodiscover>',
    '',
  ].join('\n')
}

/** The second version of autodiscover tells where the first one is. @param url of the first one */
export function autodiscoverPointer(url: string): string {
  return JSON.stringify({ Protocol: 'AutodiscoverV1', Url: url })
}
