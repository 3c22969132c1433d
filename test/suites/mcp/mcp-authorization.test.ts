import t from 'tap'
import { mcpAuthorizationSuite } from './mcp-authorization.js'
import { checkSuite } from '../suite.js'

checkSuite(t, mcpAuthorizationSuite)
