import t from 'tap'
import { arcSuite } from './arc.js'
import { checkSuite } from './suite.js'

checkSuite(t, arcSuite)
