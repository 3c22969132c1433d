import t from 'tap'
import { replyCrispSuite, replyGithubSuite, replyTalonSuite } from './reply.js'
import { checkSuite } from '../suite.js'

checkSuite(t, replyCrispSuite)
checkSuite(t, replyGithubSuite)
checkSuite(t, replyTalonSuite)
