/** Path of the program of a front process. */
export const FRONT_PROCESS = new URL('./front-process.js', import.meta.url)
