import path from 'node:path'
import type { Encoder } from './encoder.ts'
import { inputOf, QUIET } from './guard.ts'
import type { Source } from './probe.ts'
import { run } from './run.ts'

/** The longer side of a poster at most, in pixels. */
const SIDE = 1280
const PLACES = [0.1, 0.3, 0.5, 0.75]
/** Up to this length the exact frame is decoded; in longer ones the keyframe before it will do. */
const EXACT_SECONDS = 600

/**
 * Draws poster candidates of a video (or the cover of a sound) as WebP files into the folder. Gives their paths, and
 * which of them shows most: often the first second is black. None when there is nothing to draw.
 */
export async function drawPosters(
  encoder: Encoder,
  source: Source,
  { folder, signal }: { folder: string; signal: AbortSignal },
): Promise<{ paths: string[]; best: number }> {
  const index = source.picture?.index ?? source.cover
  if (index === null) return { paths: [], best: 0 }
  const seek = source.seconds > EXACT_SECONDS ? ['-noaccurate_seek'] : []
  const places = source.picture ? PLACES.map((place) => [...seek, '-ss', (place * source.seconds).toFixed(3)]) : []
  const found = await draw(encoder, source, { index, places, folder, signal })
  // A stream that cannot be sought in, like a short one of television, shows its beginning.
  return choose(found.length > 0 ? found : await draw(encoder, source, { index, places: [[]], folder, signal }))
}

interface Drawing {
  index: number
  /** Options that lead to a moment of the input. */
  places: string[][]
  folder: string
  signal: AbortSignal
}

async function draw(encoder: Encoder, source: Source, { index, places, folder, signal }: Drawing): Promise<Drawn[]> {
  if (places.length === 0) return []
  const inputs = places.flatMap((options) => inputOf(source.path, ...options))
  const outputs = places.flatMap((_, nth) => [
    ...['-map', `${nth}:${index}`, '-frames:v', '1', '-vf', FIT, '-c:v', 'mjpeg', '-q:v', '2', '-pix_fmt', 'yuvj420p'],
    ...['-f', 'image2', '-update', '1', `poster-${nth}.jpg`],
  ])
  await run(encoder, { program: 'ffmpeg', args: [...QUIET, ...inputs, ...outputs], seconds: 120, folder, signal })
  const drawn = await Promise.all(places.map((_, nth) => convert(folder, `poster-${nth}`, 78)))
  return drawn.filter((one) => one !== null)
}

// Square pixels, then no side longer than SIDE and none drawn larger than it is.
const FIT = [
  "scale=w='max(2,trunc(iw*sar/2)*2)':h='max(2,trunc(ih/2)*2)'",
  'setsar=1',
  `scale=w='min(${SIDE},iw)':h='min(${SIDE},ih)':force_original_aspect_ratio=decrease`,
].join(',')

interface Drawn {
  path: string
  /** Entropy in bits. */
  detail: number
}

/** A JPEG that ffmpeg made, as WebP beside it; null when it made none. */
export async function convert(folder: string, name: string, quality: number): Promise<Drawn | null> {
  const { default: sharp } = await import('sharp')
  const target = path.join(folder, `${name}.webp`)
  try {
    const picture = sharp(path.join(folder, `${name}.jpg`))
    await picture.clone().webp({ quality }).toFile(target)
    return { path: target, detail: (await picture.stats()).entropy }
  } catch {
    // Behind the last frame there is nothing to draw.
    return null
  }
}

function choose(drawn: readonly Drawn[]): { paths: string[]; best: number } {
  const most = Math.max(...drawn.map(({ detail }) => detail))
  // The first that is about as rich as the richest.
  const best = drawn.findIndex(({ detail }) => detail > most * 0.8)
  return { paths: drawn.map(({ path }) => path), best: Math.max(0, best) }
}
