/** The public suites that `npm run conformance` runs, in the order of docs/conformance.md. */
import { addressSuite } from './addr-isemail.js'
import { arcSignSuite, arcSuite } from './authentication/arc.js'
import { bounceFluflSuite, bounceSisimaiSuite } from './mime/bounce.js'
import { dkimChasquidSuite, dkimDkimpySuite } from './authentication/dkim.js'
import { enmimeSuite } from './mime/enmime.js'
import { mcpAuthorizationSuite } from './mcp/mcp-authorization.js'
import { mcpFixtureSuites, mcpProductSuites } from './mcp/mcp.js'
import { mimeCostSuites } from './mime/mime-messages.js'
import { mime4jSuite } from './mime/mime4j.js'
import { pslSuite } from './authentication/psl.js'
import { replyCrispSuite, replyGithubSuite, replyTalonSuite } from './mime/reply.js'
import { smtpDialogsSuite } from './smtp-dialogs.js'
import { spfSuite } from './authentication/spf.js'
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
