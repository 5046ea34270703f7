import type { Sharp } from 'sharp'

/** Maximum pixels of all frames, against decompression bombs. */
export const MAX_IMAGE_PIXELS = 60_000_000
/** Widths of the smaller versions; never more than the original's. */
const WIDTHS = [320, 640, 1280]
const MAX_WIDTH = 2000
/** A width above this share of the original's is not worth a file. */
const MIN_WIDTH_RATIO = 0.85

export interface PictureSizes {
  /** Dimensions of the original after EXIF rotation. */
  width: number
  height: number
  /** Pixels; each exists as `<width>.avif` and `<width>.webp`. */
  widths: number[]
}

/**
 * Encodes a picture in several widths as AVIF and WebP, without metadata. `save` is called for one at a time, to limit
 * memory. Returns null for undecodable and for animated pictures.
 */
export async function createPictureSizes(
  path: string,
  save: (name: string, bytes: Buffer) => Promise<void>,
): Promise<PictureSizes | null> {
  const size = await measure(path)
  if (!size) return null
  const widths = widthsOf(size.width)
  for (const width of widths) {
    // Decoded for each width: a JPEG decoder that knows the width reads at reduced size.
    const drawn = await openPicture(path).then((picture) => picture.autoOrient().resize({ width }))
    await save(`${width}.webp`, await drawn.clone().webp({ quality: 80 }).toBuffer())
    await save(`${width}.avif`, await drawn.clone().avif({ quality: 50, effort: 3 }).toBuffer())
  }
  return { ...size, widths }
}

/** From the narrowest up; the last one is the picture's own width or the maximum. */
function widthsOf(width: number): number[] {
  const widest = Math.min(width, MAX_WIDTH)
  return [...WIDTHS.filter((size) => size < widest * MIN_WIDTH_RATIO), widest]
}

// sharp takes memory that a process without pictures does not need.
async function openPicture(path: string): Promise<Sharp> {
  const { default: sharp } = await import('sharp')
  return sharp(path, { limitInputPixels: MAX_IMAGE_PIXELS, failOn: 'error' })
}

async function measure(path: string): Promise<{ width: number; height: number } | null> {
  try {
    const { autoOrient, pages = 1, format } = await (await openPicture(path)).metadata()
    const isAnimated = pages > 1 && format !== 'tiff' && format !== 'heif'
    return isAnimated || autoOrient.width * autoOrient.height > MAX_IMAGE_PIXELS ? null : autoOrient
  } catch {
    // After any decoder error the file remains a plain file for download.
    return null
  }
}
