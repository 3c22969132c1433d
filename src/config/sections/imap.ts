/** imap.toml: reading by mail programs. */
import { z } from 'zod'
import { setting, wholeNumber } from '../setting/setting.js'
import { programServer } from './submission.js'

export const imap = z.strictObject({
  ...programServer({
    who: 'mail programs that read mail, with STARTTLS (RFC 9051)',
    ports: [143, 993],
    most: [2000, 100, 50],
    excess: 'are refused',
    excessSignIn: 'sign-ins are refused',
    more: ' A program keeps one or several open all day.',
  }),
  max_append_bytes: setting(wholeNumber(1, 10_000_000_000, 'bytes'), 134_217_728, {
    about:
      'Memory for messages that programs are storing, of all connections; further ones are refused until there is room.',
  }),
})
