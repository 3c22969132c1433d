/** The charset functions of libmime, which its types leave out. */
declare module 'libmime/lib/charset.js' {
  const charset: {
    decode(bytes: Buffer, charset: string): string
    normalizeCharset(charset: string): string
  }
  export default charset
}
