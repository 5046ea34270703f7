const MEGABYTE = 1024 * 1024

/**
 * A fast check whether two files may be equal: SHA-256, in hex, of the size in decimal digits and the first and last
 * megabyte (which overlap in a small file). Works in the browser and in Node; needs a secure context.
 */
export async function sampleOf(bytes: Blob): Promise<string> {
  const { first, last } = sampledRanges(bytes.size)
  return sampleFrom(
    bytes.size,
    await bytes.slice(first.start, first.end).arrayBuffer(),
    await bytes.slice(last.start, last.end).arrayBuffer(),
  )
}

/** The byte ranges of the sample; `end` is exclusive. */
export function sampledRanges(size: number) {
  return {
    first: { start: 0, end: Math.min(size, MEGABYTE) },
    last: { start: Math.max(0, size - MEGABYTE), end: size },
  }
}

/** The sample of a file by its first and last megabyte. */
export async function sampleFrom(size: number, first: BlobPart, last: BlobPart): Promise<string> {
  const all = await new Blob([String(size), first, last]).arrayBuffer()
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', all))
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
