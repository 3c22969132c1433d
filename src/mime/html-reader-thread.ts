/** The thread of `html-reader.ts`: one piece of HTML, sanitised. */
import { parentPort, workerData } from 'node:worker_threads'
import { sanitiseHtml } from './sanitise.js'

if (typeof workerData === 'string') parentPort?.postMessage(sanitiseHtml(workerData))
