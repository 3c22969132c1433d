/** guard.toml: checking what agents send before it leaves. */
import { z } from 'zod'
import { setting, share } from '../setting.js'

export const guard = z.strictObject({
  hold_score: setting(share(), 0.5, {
    about: 'Risk from which a message is held for review. Lower is stricter.',
  }),
  block_score: setting(share(), 0.9, {
    about: 'Risk from which a message is blocked for good; at least guard.hold_score.',
  }),
})
