/** backup.toml: copies of all that is stored. */
import { cronTime, optional, path, setting, wholeNumber } from '../setting/setting.js'
import { z } from 'zod'

export const backup = z.strictObject({
  schedule: setting(optional(cronTime), '', {
    about:
      'When a backup is made by itself. Off until it is set: a backup takes as much room again as what is stored, and where that is only its operator knows. `restante backup` makes one at any time.',
    otherwise: 'never',
  }),
  folder: setting(path, 'backups', {
    about:
      'Folder of backups, made when missing; a relative path starts at server.data_dir. On the same disk they help against mistakes, not against the loss of the disk: name a folder on another one, or have them fetched from here.',
  }),
  keep_days: setting(wholeNumber(1, 3650), 2, {
    about:
      'How long backups stay in that folder. Older ones are removed after a new one is whole, so the newest always stays; files with other names are left alone.',
    unit: 'days',
  }),
  key_file: setting(optional(path), '', {
    about:
      'File with the key that encrypts backups: 64 hexadecimal digits, as `openssl rand -hex 32` makes them, or a passphrase of at least 16 characters. Keep a copy of it elsewhere: without it no backup can be restored. Without one backups hold the secrets of this server and all mail as they are, readable by this user only.',
    otherwise: 'backups are not encrypted',
  }),
})
