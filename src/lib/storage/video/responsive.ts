import type { Sharp } from 'sharp'

/** Pixels of all frames at most: what claims more is a bomb, not a picture. */
export const MAX_PIXELS = 60_000_000
/** Widths for the screens that pictures are shown on; never more than a picture has. */
const WIDTHS = [320, 640, 1280]
const MAX_WIDTH = 2000
/** A width this near to the picture's own is not worth a file. */
const MIN_WIDTH_RATIO = 0.85

export interface PictureSizes {
  /** Of the original as it is shown, turned the way the camera was held. */
  width: number
  height: number
  /** Pixels; of each there is `<width>.avif` and `<width>.webp`. */
  widths: number[]
}

/**
 * Draws a picture anew in several widths as AVIF and WebP, without what a camera wrote into it. `keep` is called for one
 * at a time, so that memory holds one. Gives null for what can't be drawn, and for moving pictures, which would stop.
 */
export async function createPictureSizes(
  path: string,
  save: (name: string, bytes: Buffer) => Promise<void>,
): Promise<PictureSizes | null> {
  const size = await measure(path)
  if (!size) return null
  const widths = widthsOf(size.width)
  for (const width of widths) {
    // Decoded again for each: a decoder that knows the width reads a JPEG at an eighth of its size.
    const drawn = await openPicture(path).then((picture) => picture.autoOrient().resize({ width }))
    await save(`${width}.webp`, await drawn.clone().webp({ quality: 80 }).toBuffer())
    await save(`${width}.avif`, await drawn.clone().avif({ quality: 50, effort: 3 }).toBuffer())
  }
  return { ...size, widths }
}

/** From the narrowest up; the last one is the picture's own width or the widest that is made. */
export function widthsOf(width: number): number[] {
  const widest = Math.min(width, MAX_WIDTH)
  return [...WIDTHS.filter((one) => one < widest * MIN_WIDTH_RATIO), widest]
}

// Its libraries take memory that a process without pictures need not have.
async function openPicture(path: string): Promise<Sharp> {
  const { default: sharp } = await import('sharp')
  return sharp(path, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
}

async function measure(path: string): Promise<{ width: number; height: number } | null> {
  try {
    const { autoOrient, pages = 1, format } = await (await openPicture(path)).metadata()
    const isAnimated = pages > 1 && format !== 'tiff' && format !== 'heif'
    return isAnimated || autoOrient.width * autoOrient.height > MAX_PIXELS ? null : autoOrient
  } catch {
    // Whatever the decoder dislikes: the file stays what it is, for download.
    return null
  }
}
