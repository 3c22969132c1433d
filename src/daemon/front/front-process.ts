/** Entry of a front process: channel 4 leads to the process with the store, which ends this one. */
import { Socket } from 'node:net'
import { runFront } from './front.js'

const CHANNEL = 4

// Signals reach the whole process group or unit; the process with the store says when to end.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined)

runFront(new Socket({ fd: CHANNEL, readable: true, writable: true }), () => process.exit())
