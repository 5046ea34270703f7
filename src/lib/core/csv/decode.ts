/** Character encodings of CSV files that spreadsheets write. */
const CONTROLS = /(?![\t\n\v\f\r\u007f-\u009f])\p{Cc}/u

/**
 * The text of a table in UTF-8, UTF-16 (both with and without a byte order mark) or Windows-1251. Null when the bytes
 * are not text: they contain control characters in every encoding.
 */
export function decodeTable(bytes: Uint8Array): string | null {
  const text = decodeText(bytes)
  return text === null || CONTROLS.test(text) ? null : text
}

/** The text of a file in UTF-8, UTF-16 or Windows-1251, with any characters; null when it is in none of them. */
export function decodeText(bytes: Uint8Array): string | null {
  return decodeAs(bytes, encodingOf(bytes))
}

function encodingOf(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  // Delimiters and digits of a table have a zero byte in UTF-16, and no byte of the other encodings is zero.
  const sample = bytes.subarray(0, 4096)
  let [even, odd] = [0, 0]
  for (const [index, byte] of sample.entries()) {
    if (byte !== 0) continue
    if (index % 2 === 0) even += 1
    else odd += 1
  }
  if (odd > 0 && even === 0) return 'utf-16le'
  if (even > 0 && odd === 0) return 'utf-16be'
  return decodeAs(bytes, 'utf-8') === null ? 'windows-1251' : 'utf-8'
}

function decodeAs(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
