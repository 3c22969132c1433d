/** Names of browsers that pdf.js refers to when it is loaded, for drawing only. */
Object.assign(globalThis, { DOMMatrix: class {}, ImageData: class {}, Path2D: class {} })
