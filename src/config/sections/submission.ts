/** submission.toml: sending by mail programs. */
import { z } from 'zod'
import { programServer } from './program-server.js'

export const submission = z.strictObject(
  programServer({
    who: 'mail programs with STARTTLS (RFC 6409)',
    ports: [587, 465],
    most: [200, 20, 20],
    excess: 'get a 421',
    excessSignIn: 'ones get a 421',
  }),
)
