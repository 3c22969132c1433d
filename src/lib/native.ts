/** Whether native code is what it says. */

/** Whether a function of uWebSockets.js is of the imitation in JavaScript, which the package loads without a word where it has no binary. */
export function isImitation(app: (...args: never[]) => unknown): boolean {
  return !/\[native code\]/.test(Function.prototype.toString.call(app))
}
