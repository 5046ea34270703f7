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
  const places = source.picture ? PLACES.map((place) => place * source.seconds) : [0]
  const seek = source.seconds > EXACT_SECONDS ? ['-noaccurate_seek'] : []
  const inputs = places.flatMap((at) => inputOf(source.path, ...seek, '-ss', at.toFixed(3)))
  const filter = `scale=w='trunc(iw*sar/2)*2':h='trunc(ih/2)*2',setsar=1,scale=w='min(${SIDE},iw)':h='min(${SIDE},ih)':force_original_aspect_ratio=decrease`
  const outputs = places.flatMap((_, nth) => [
    ...['-map', `${nth}:${index}`, '-frames:v', '1', '-vf', filter, '-c:v', 'mjpeg', '-q:v', '2'],
    ...['-f', 'image2', '-update', '1', `poster-${nth}.jpg`],
  ])
  const args = [...QUIET, ...inputs, ...outputs]
  await run(encoder, { program: 'ffmpeg', args, seconds: 120, folder, signal })
  return choose(await Promise.all(places.map((_, nth) => convert(folder, `poster-${nth}`, 78))))
}

/** A JPEG that ffmpeg made, as WebP beside it; null when it made none. `detail` is its entropy in bits. */
export async function convert(folder: string, name: string, quality: number) {
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

function choose(drawn: ({ path: string; detail: number } | null)[]): { paths: string[]; best: number } {
  const there = drawn.filter((one) => one !== null)
  const most = Math.max(...there.map(({ detail }) => detail))
  // The first that is about as rich as the richest.
  return {
    paths: there.map(({ path }) => path),
    best: Math.max(
      0,
      there.findIndex(({ detail }) => detail > most * 0.8),
    ),
  }
}
