/** The public suites that `npm run conformance` runs, in the order of docs/conformance.md. */
import { addressSuite } from './addr-isemail.js'
import { arcSignSuite, arcSuite } from './arc.js'
import { bounceFluflSuite, bounceSisimaiSuite } from './bounce.js'
import { dkimChasquidSuite, dkimDkimpySuite } from './dkim.js'
import { enmimeSuite } from './enmime.js'
import { mcpAuthorizationSuite } from './mcp-authorization.js'
import { mcpFixtureSuites, mcpProductSuites } from './mcp.js'
import { mimeCostSuites } from './mime-messages.js'
import { mime4jSuite } from './mime4j.js'
import { pslSuite } from './psl.js'
import { replyCrispSuite, replyGithubSuite, replyTalonSuite } from './reply.js'
import { smtpDialogsSuite } from './smtp-dialogs.js'
import { spfSuite } from './spf.js'
import type { Suite } from './suite.js'
import { threadSuite } from './thread.js'

export const suites: readonly Suite[] = [
  smtpDialogsSuite,
  addressSuite,
  spfSuite,
  dkimDkimpySuite,
  dkimChasquidSuite,
  pslSuite,
  arcSuite,
  arcSignSuite,
  mime4jSuite,
  enmimeSuite,
  ...mimeCostSuites,
  replyCrispSuite,
  replyGithubSuite,
  replyTalonSuite,
  threadSuite,
  bounceSisimaiSuite,
  bounceFluflSuite,
  ...mcpFixtureSuites,
  ...mcpProductSuites,
  mcpAuthorizationSuite,
]
