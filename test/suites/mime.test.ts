import t from 'tap'
import { mime4jSuite } from './mime4j.js'
import { checkSuite } from './suite.js'

checkSuite(t, mime4jSuite)
