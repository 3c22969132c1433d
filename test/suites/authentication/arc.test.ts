import t from 'tap'
import { arcSignSuite, arcSuite } from './arc.js'
import { checkSuite } from '../suite.js'

checkSuite(t, arcSuite)
checkSuite(t, arcSignSuite)
