import t from 'tap'
import { dkimChasquidSuite, dkimDkimpySuite } from './dkim.js'
import { checkSuite } from '../suite.js'

checkSuite(t, dkimChasquidSuite)
checkSuite(t, dkimDkimpySuite)
