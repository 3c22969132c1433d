/** store.toml: the database of everything but large files. */
import { z } from 'zod'
import { parsePostgresUrl } from '../../store/engines/postgres/postgres-url.js'
import { optional, path, setting, textWhere, wholeNumber } from '../setting/setting.js'

const databaseUrl = textWhere(
  (value) => {
    try {
      parsePostgresUrl(value)
      return true
    } catch {
      return false
    }
  },
  'a URL such as "postgres://restante@db.example.com/restante", with the user of the database and without a password',
  z.string().max(1000),
)

export const store = z.strictObject({
  url: setting(optional(databaseUrl), '', {
    about:
      'PostgreSQL database, for a store that outlives this machine: "postgres://user@host:port,host:port/database". Of several hosts the primary is found, also after a failover. TLS is verified unless all hosts are on this machine; "?sslmode=require" takes any certificate, "?sslmode=disable" goes without. See docs/cluster.md.',
    otherwise: 'an embedded database (LMDB) in server.data_dir',
  }),
  password_file: setting(optional(path), '', {
    about: 'File with the password of the user of store.url on its first line.',
    otherwise: 'PGPASSWORD, or ~/.pgpass',
  }),
  ca_file: setting(optional(path), '', {
    about: 'File of certificates (PEM) to trust for store.url.',
    otherwise: "the system's",
  }),
  connections: setting(wholeNumber(2, 200), 8, {
    about:
      'Connections to store.url at most. A commit holds one for about a millisecond, and a read for as long as it reads.',
  }),
})
