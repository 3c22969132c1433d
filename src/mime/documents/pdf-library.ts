/** pdf.js without a canvas: it reads and draws nothing. Its worker's code runs in the thread that loads this. */
import './pdf-globals.js'
import 'pdfjs-dist/legacy/build/pdf.worker.mjs'

export { getDocument, OPS, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'
