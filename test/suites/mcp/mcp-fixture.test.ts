import t from 'tap'
import { mcpFixtureSuites } from './mcp.js'
import { checkSuite } from '../suite.js'

for (const suite of mcpFixtureSuites) checkSuite(t, suite)
