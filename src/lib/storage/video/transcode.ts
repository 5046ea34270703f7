import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { config } from '#lib/core/config/config.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { store } from '#lib/core/files/files.ts'
import { hlsEncodingArgs, type RenditionSize, renditionsOf } from '#lib/core/media/hls-encoding.ts'
import { measureGain } from '#lib/core/media/loudness.ts'
import { MediaError, runMediaTask } from '#lib/core/media/media-task.ts'
import { describeVariant, masterPlaylist } from '#lib/core/media/playlist.ts'
import { convertToWebp, createPosterImages } from '#lib/core/media/poster.ts'
import { type MediaSource, probeMedia } from '#lib/core/media/probe.ts'
import { planStoryboard, type Storyboard } from '#lib/core/media/storyboard.ts'
import { HOUR_SECONDS } from '#lib/core/shared/time.ts'
import { video } from '../table.ts'
import {
  createProgressReporter,
  type EncodingRun,
  enterState,
  isCurrentAttempt,
  SupersededEncodingError,
} from './encoding-run.ts'
import type { Rendition, StreamFacts } from './schema.ts'
import { putFile, putFolder, recordOutput } from './video-output.ts'
import { requireSpaceForOriginal, requireSpaceForRenditions, runWithDiskGuard } from './video-space.ts'

/**
 * Time limit of the encoder: seconds for each second of video, proportionally more above 1080p, and a maximum.
 * Generous: two busy cores need about 0.4 for 720p. Together less than ENCODE_HOURS.
 */
const TIME_LIMITS = {
  first: { secondsEach: 3, maxSeconds: 8 * HOUR_SECONDS },
  rest: { secondsEach: 6, maxSeconds: 15 * HOUR_SECONDS },
}
const BASE_SECONDS = 300
const FULL_HD_PIXELS = 1920 * 1080

interface TranscodingOutput {
  renditions: Rendition[]
  soundFacts: StreamFacts | null
  storyboard: Storyboard | null
  posters: number
}

/**
 * Encodes one file step by step, each published when complete: posters, then the lowest resolution with the audio and
 * the storyboard in one run, then all other resolutions in another one. Throws MediaError, Superseded.
 */
export async function transcodeVideo(encoding: EncodingRun): Promise<void> {
  const key = `${encoding.tenantId}/${encoding.fileId}`
  await requireSpaceForOriginal((await store.stat(key))?.size ?? 0)
  const localCopy = await store.openLocalCopy(key, encoding.folder)
  if (!localCopy) throw new MediaError('damaged', 'the original is not there')
  try {
    const source = await probeMedia(encoding.encoder, localCopy.path, encoding)
    const sizes = source.video ? renditionsOf(source.video) : []
    const output = await recordSource(encoding, source, sizes)
    if (output.posters === 0) await storePosters(encoding, source)
    const missing = sizes.filter(
      ({ size }) => !output.renditions.some((rendition) => rendition.size === size && rendition.ready),
    )
    if (missing.length > 0) await requireSpaceForRenditions(localCopy.path, missing, source.seconds)
    const weights = planProgress(missing, missing.includes(sizes[0] ?? NO_SIZE))
    await encodeFirst(
      encoding,
      source,
      output,
      missing.filter((size) => size === sizes[0]),
      weights.first,
    )
    await encodeRest(
      encoding,
      source,
      output,
      missing.filter((size) => size !== sizes[0]),
      weights.first,
    )
    await enterState(encoding, 'finished', {
      detail: source.isTruncated ? 'truncated' : null,
      set: { progress: 100, endedAt: new Date(), failureDetail: null },
    })
  } finally {
    await localCopy.done()
  }
}

const NO_SIZE: RenditionSize = { size: 0, width: 0, height: 0 }

async function recordSource(
  encoding: EncodingRun,
  { seconds, isTruncated: truncated, video: picture, audio: sound }: MediaSource,
  sizes: readonly RenditionSize[],
): Promise<TranscodingOutput> {
  return inTenant(encoding, async (tx) => {
    const { renditions, soundFacts, storyboard, posters } = video
    const [before] = await tx
      .select({ renditions, soundFacts, storyboard, posters })
      .from(video)
      .where(isCurrentAttempt(encoding))
    if (!before) throw new SupersededEncodingError()
    const all = sizes.map(
      (planned) =>
        before.renditions.find(({ size, ready }) => size === planned.size && ready) ??
        ({ ...planned, bandwidth: 0, average: 0, codecs: '', ready: false } satisfies Rendition),
    )
    const facts = {
      duration: Math.max(1, Math.round(seconds)),
      truncated,
      hasPicture: picture !== null,
      hasSound: sound !== null,
    }
    await tx
      .update(video)
      .set({ ...facts, renditions: all })
      .where(isCurrentAttempt(encoding))
    return { ...before, renditions: all }
  })
}

async function storePosters(encoding: EncodingRun, source: MediaSource): Promise<void> {
  const { paths, best } = await createPosterImages(encoding.encoder, source, encoding)
  for (const [nth, from] of paths.entries()) await putFile(encoding, from, `poster/${nth}.webp`)
  await recordOutput(encoding, { posters: paths.length, poster: best, progress: 2 })
  await enterState(encoding, 'processing', { detail: 'poster' })
}

// In proportion to pixels, like the encoding time.
function planProgress(missing: readonly RenditionSize[], withFirst: boolean): { first: number } {
  const pixels = missing.map(({ width, height }) => width * height)
  const all = pixels.reduce((sum, count) => sum + count, 0)
  return { first: missing.length === 0 ? 95 : 3 + 92 * (withFirst ? (pixels[0] ?? 0) / all : 0) }
}

async function encodeFirst(
  encoding: EncodingRun,
  source: MediaSource,
  output: TranscodingOutput,
  sizes: readonly RenditionSize[],
  until: number,
): Promise<void> {
  const withSound = source.audio !== null && output.soundFacts === null
  const storyboard = source.video && !output.storyboard ? planStoryboard(source.seconds, source.video) : null
  if (sizes.length === 0 && !withSound && !storyboard) return
  const gainDb = withSound ? await measureGain(encoding.encoder, source, encoding) : null
  await enterState(encoding, 'encoding')
  const folders = [...sizes.map(({ size }) => String(size)), ...(withSound ? ['sound'] : [])]
  const reportProgress = createProgressReporter(encoding, 'encoding', 3, until)
  await encode(encoding, source, {
    renditions: sizes,
    gainDb,
    storyboard,
    folders,
    reportProgress,
    timeLimit: TIME_LIMITS.first,
  })
  if (storyboard) {
    const drawn = await convertToWebp(encoding.folder, 'storyboard', 70)
    if (drawn) await putFile(encoding, drawn.path, 'storyboard.webp')
    output.storyboard = drawn && storyboard
  }
  for (const folder of folders) await putFolder(encoding, folder, `hls/${folder}`)
  if (withSound) output.soundFacts = await describeVariant(path.join(encoding.folder, 'sound'))
  await publishRenditions(encoding, output, sizes, until)
}

async function encodeRest(
  encoding: EncodingRun,
  source: MediaSource,
  output: TranscodingOutput,
  sizes: readonly RenditionSize[],
  from: number,
): Promise<void> {
  if (sizes.length === 0) return
  const folders = sizes.map(({ size }) => String(size))
  const reportProgress = createProgressReporter(encoding, 'resolutionFinished', from, 99)
  await encode(encoding, source, {
    renditions: sizes,
    gainDb: null,
    storyboard: null,
    folders,
    reportProgress,
    timeLimit: TIME_LIMITS.rest,
  })
  for (const folder of folders) await putFolder(encoding, folder, `hls/${folder}`)
  await publishRenditions(encoding, output, sizes, 99)
}

interface EncodeTask {
  renditions: readonly RenditionSize[]
  gainDb: number | null
  storyboard: Storyboard | null
  folders: readonly string[]
  reportProgress(share: number): void
  timeLimit: { secondsEach: number; maxSeconds: number }
}

async function encode(
  encoding: EncodingRun,
  source: MediaSource,
  { renditions, gainDb, storyboard, folders, reportProgress, timeLimit }: EncodeTask,
): Promise<void> {
  for (const folder of folders) await mkdir(path.join(encoding.folder, folder), { recursive: true })
  let reached = 0
  await runWithDiskGuard(encoding.signal, (signal) =>
    runMediaTask(encoding.encoder, {
      program: 'ffmpeg',
      args: hlsEncodingArgs({ source, renditions, gainDb, storyboard, preset: config.encodePreset }),
      folder: encoding.folder,
      signal,
      timeoutSeconds: timeoutOf(source, timeLimit),
      onProgress: (seconds) => {
        reached = Math.max(reached, seconds)
        reportProgress(seconds / source.seconds)
      },
    }),
  )
  // A truncated file is encoded up to its end without an error.
  if (reached < source.seconds * 0.9 - 0.5) {
    throw new MediaError('damaged', `${reached.toFixed(1)} s / ${source.seconds.toFixed(1)} s`)
  }
}

function timeoutOf(
  { seconds, video: picture }: MediaSource,
  { secondsEach, maxSeconds }: EncodeTask['timeLimit'],
): number {
  const weight = Math.max(1, (picture ? picture.width * picture.height : 0) / FULL_HD_PIXELS)
  return Math.min(maxSeconds, BASE_SECONDS + seconds * secondsEach * weight)
}

/** Rewrites the master playlist for all completed renditions, then publishes them. */
async function publishRenditions(
  encoding: EncodingRun,
  output: TranscodingOutput,
  sizes: readonly RenditionSize[],
  progress: number,
): Promise<void> {
  for (const { size } of sizes) {
    const facts = await describeVariant(path.join(encoding.folder, String(size)))
    output.renditions = output.renditions.map((rendition) =>
      rendition.size === size ? { ...rendition, ...facts, ready: true } : rendition,
    )
  }
  const whole = output.renditions.filter(({ ready }) => ready)
  await putFile(encoding, Buffer.from(masterPlaylist(whole, output.soundFacts)), 'hls/master.m3u8')
  const { renditions, soundFacts, storyboard } = output
  await recordOutput(encoding, {
    renditions,
    soundFacts,
    soundReady: soundFacts !== null,
    storyboard,
    progress: Math.floor(progress),
  })
  for (const { size } of sizes) await enterState(encoding, 'resolutionFinished', { detail: String(size) })
}
