/** A message with files, as bytes. */
export interface Part {
  name: string
  type: string
  content: Buffer
}

export function withFiles(text: string, parts: readonly Part[], type = 'text/plain'): Buffer {
  const lines = [
    'From: Ana <ana@sender.example>',
    'To: bob@example.org',
    'Subject: The file',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    `Content-Type: ${type}`,
    '',
    text,
    ...parts.flatMap(({ name, type, content }) => [
      '--b',
      `Content-Type: ${type}`,
      `Content-Disposition: attachment; filename="${name}"`,
      'Content-Transfer-Encoding: base64',
      '',
      content.toString('base64').replace(/.{76}/g, '$&\r\n'),
    ]),
    '--b--',
    '',
  ]
  return Buffer.from(lines.join('\r\n'))
}
