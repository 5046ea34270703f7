import type { Sharp } from 'sharp'

/** Pixels of all frames at most: what claims more is a bomb, not a picture. */
export const MOST_PIXELS = 60_000_000
/** Widths for the screens that pictures are shown on; never more than a picture has. */
const WIDTHS = [320, 640, 1280]
const WIDEST = 2000
/** A width this near to the picture's own is not worth a file. */
const NEAR = 0.85

export interface Pictures {
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
export async function drawPictures(
  path: string,
  keep: (name: string, bytes: Buffer) => Promise<void>,
): Promise<Pictures | null> {
  const size = await measure(path)
  if (!size) return null
  const widths = widthsOf(size.width)
  for (const width of widths) {
    // Decoded again for each: a decoder that knows the width reads a JPEG at an eighth of its size.
    const drawn = await open(path).then((picture) => picture.autoOrient().resize({ width }))
    await keep(`${width}.webp`, await drawn.clone().webp({ quality: 80 }).toBuffer())
    await keep(`${width}.avif`, await drawn.clone().avif({ quality: 50, effort: 3 }).toBuffer())
  }
  return { ...size, widths }
}

/** From the narrowest up; the last one is the picture's own width or the widest that is made. */
export function widthsOf(width: number): number[] {
  const widest = Math.min(width, WIDEST)
  return [...WIDTHS.filter((one) => one < widest * NEAR), widest]
}

// Its libraries take memory that a process without pictures need not have.
async function open(path: string): Promise<Sharp> {
  const { default: sharp } = await import('sharp')
  return sharp(path, { limitInputPixels: MOST_PIXELS, failOn: 'error' })
}

async function measure(path: string): Promise<{ width: number; height: number } | null> {
  try {
    const { autoOrient, pages = 1, format } = await (await open(path)).metadata()
    const moves = pages > 1 && format !== 'tiff' && format !== 'heif'
    return moves || autoOrient.width * autoOrient.height > MOST_PIXELS ? null : autoOrient
  } catch {
    // Whatever the decoder dislikes: the file stays what it is, for download.
    return null
  }
}
