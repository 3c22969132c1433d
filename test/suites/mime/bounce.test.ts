import t from 'tap'
import { bounceFluflSuite, bounceSisimaiSuite } from './bounce.js'
import { checkSuite } from '../suite.js'

checkSuite(t, bounceSisimaiSuite)
checkSuite(t, bounceFluflSuite)
