/** The worker of pdf.js, which has no types: loading it is all that is done with it. */
declare module 'pdfjs-dist/legacy/build/pdf.worker.mjs'
