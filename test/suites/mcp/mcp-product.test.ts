import t from 'tap'
import { mcpProductSuites } from './mcp.js'
import { checkSuite } from '../suite.js'

for (const suite of mcpProductSuites) checkSuite(t, suite)
