/** backup.toml: copies of all that is stored. */
import { cronTime, optional, path, setting, wholeNumber } from '../setting/setting.js'
import { z } from 'zod'

export const backup = z.strictObject({
  schedule: setting(optional(cronTime), '', {
    about:
      'Schedule of automatic backups. None are made until this is set, because a backup needs as much disk space as the stored data. `restante backup` makes one at any time.',
    otherwise: 'never',
  }),
  folder: setting(path, 'backups', {
    about:
      'Folder for backups, created when missing; a relative path starts at server.data_dir. Backups on the same disk do not survive the loss of that disk: use a folder on another one, or copy them elsewhere.',
  }),
  keep_days: setting(wholeNumber(1, 3650, 'days'), 2, {
    about:
      'How long backups are kept. Older ones are removed once a new one is complete, so the newest is always kept; files with other names are not touched.',
  }),
  key_file: setting(optional(path), '', {
    about:
      'File with the key that encrypts backups: 64 hexadecimal digits, as made by `openssl rand -hex 32`, or a passphrase of at least 16 characters. Keep a copy elsewhere: without it no backup can be restored. Unencrypted backups contain all mail and the secrets of this server, readable by its user only.',
    otherwise: 'backups are not encrypted',
  }),
})
