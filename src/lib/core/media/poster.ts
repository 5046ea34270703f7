import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Encoder } from './encoder.ts'
import { BASE_ARGS, inputArgs } from './ffmpeg-args.ts'
import { runMediaTask } from './media-task.ts'
import type { MediaSource } from './probe.ts'

/** Maximum length of the longer side of a poster in pixels. */
const MAX_SIDE_PX = 1280
const POSTER_POSITIONS = [0.1, 0.3, 0.5, 0.75]
/** With fewer different candidates than this, exact frames are decoded instead of keyframes. */
const MIN_CANDIDATES = 3

/**
 * Extracts poster candidates of a video (or the cover of an audio file) as WebP files. Returns their paths and the
 * index of the one with most detail, since the first second is often black. Empty when no frame can be extracted.
 */
export async function createPosterImages(
  encoder: Encoder,
  source: MediaSource,
  { folder, signal }: { folder: string; signal: AbortSignal },
): Promise<{ paths: string[]; best: number }> {
  const index = source.video?.index ?? source.coverIndex
  if (index === null) return { paths: [], best: 0 }
  const job = { index, folder, signal }
  if (!source.video) return chooseBest(await extractPosters(encoder, source, { ...job, places: [[]] }))
  const moments = POSTER_POSITIONS.map((place) => ['-ss', (place * source.seconds).toFixed(3)])
  const keyframes = await extractPosters(encoder, source, {
    ...job,
    places: moments.map((moment) => [...KEYFRAME_ARGS, ...moment]),
  })
  if (keyframes.length >= MIN_CANDIDATES) return chooseBest(keyframes)
  const exact = await extractPosters(encoder, source, { ...job, places: moments })
  // In a stream without seeking support, like a short transport stream, the first frames are used.
  return chooseBest(exact.length > 0 ? exact : await extractPosters(encoder, source, { ...job, places: [[]] }))
}

// The keyframe before the time: decoding only this frame takes a fraction of the time.
const KEYFRAME_ARGS = ['-threads', '1', '-skip_frame', 'nokey', '-noaccurate_seek']

interface PosterJob {
  index: number
  /** ffmpeg options that seek to a time of the input. */
  places: string[][]
  folder: string
  signal: AbortSignal
}

async function extractPosters(
  encoder: Encoder,
  source: MediaSource,
  { index, places, folder, signal }: PosterJob,
): Promise<PosterImage[]> {
  const inputs = places.flatMap((options) => inputArgs(source.path, ...options))
  const outputs = places.flatMap((_, nth) => [
    '-map',
    `${nth}:${index}`,
    '-frames:v',
    '1',
    '-vf',
    FIT_FILTER,
    '-c:v',
    'mjpeg',
    '-q:v',
    '2',
    '-pix_fmt',
    'yuvj420p',
    '-f',
    'image2',
    '-update',
    '1',
    `poster-${nth}.jpg`,
  ])
  await runMediaTask(encoder, {
    program: 'ffmpeg',
    args: [...BASE_ARGS, ...inputs, ...outputs],
    timeoutSeconds: 120,
    folder,
    signal,
  })
  const names = await findDistinct(
    folder,
    places.map((_, nth) => `poster-${nth}`),
  )
  const drawn = await Promise.all(names.map((name) => convertToWebp(folder, name, 78)))
  return drawn.filter((poster) => poster !== null)
}

// Times between the same two keyframes yield identical images.
async function findDistinct(folder: string, names: string[]): Promise<string[]> {
  const seen = new Map<string, string>()
  for (const name of names) {
    const bytes = await readFile(path.join(folder, `${name}.jpg`)).catch(() => null)
    const digest = bytes && createHash('sha256').update(bytes).digest('base64')
    if (digest && !seen.has(digest)) seen.set(digest, name)
  }
  return [...seen.values()]
}

// Square pixels, no side longer than MAX_SIDE_PX, and no enlargement.
const FIT_FILTER = [
  "scale=w='max(2,trunc(iw*sar/2)*2)':h='max(2,trunc(ih/2)*2)'",
  'setsar=1',
  `scale=w='min(${MAX_SIDE_PX},iw)':h='min(${MAX_SIDE_PX},ih)':force_original_aspect_ratio=decrease`,
].join(',')

interface PosterImage {
  path: string
  /** Entropy in bits. */
  entropy: number
}

/** Converts a JPEG that ffmpeg wrote to WebP in the same folder; null when it wrote none. */
export async function convertToWebp(folder: string, name: string, quality: number): Promise<PosterImage | null> {
  const { default: sharp } = await import('sharp')
  const target = path.join(folder, `${name}.webp`)
  try {
    const picture = sharp(path.join(folder, `${name}.jpg`))
    await picture.clone().webp({ quality }).toFile(target)
    return { path: target, entropy: (await picture.stats()).entropy }
  } catch {
    // There is no frame after the last one.
    return null
  }
}

function chooseBest(drawn: readonly PosterImage[]): { paths: string[]; best: number } {
  const most = Math.max(...drawn.map(({ entropy }) => entropy))
  // The first candidate whose entropy is close to the highest.
  const best = drawn.findIndex(({ entropy: detail }) => detail > most * 0.8)
  return { paths: drawn.map(({ path }) => path), best: Math.max(0, best) }
}
