/** Width and height of a PNG (ISO/IEC 15948 §11.2.2), a GIF (GIF89a §18) or a JPEG (ISO/IEC 10918-1 §B.2.2), from its header alone. */

interface Size {
  width: number
  height: number
}

export function pictureSize(bytes: Uint8Array): Size | undefined {
  const picture = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (picture.length < 24) return undefined
  if (picture.readUInt32BE(0) === 0x89504e47)
    return { width: picture.readUInt32BE(16), height: picture.readUInt32BE(20) }
  if (picture.toString('latin1', 0, 4) === 'GIF8')
    return { width: picture.readUInt16LE(6), height: picture.readUInt16LE(8) }
  return picture.readUInt16BE(0) === 0xffd8 ? sizeOfJpeg(picture) : undefined
}

function sizeOfJpeg(picture: Buffer): Size | undefined {
  for (let at = 2; at + 9 <= picture.length;) {
    const marker = picture[at + 1] ?? 0
    if (picture[at] !== 0xff) return undefined
    // Fill bytes.
    if (marker === 0xff) at++
    // SOF0 to SOF15, without DHT, JPG and DAC among them.
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { height: picture.readUInt16BE(at + 5), width: picture.readUInt16BE(at + 7) }
    else at += 2 + picture.readUInt16BE(at + 2)
  }
  return undefined
}
