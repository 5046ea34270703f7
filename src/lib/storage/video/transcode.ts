import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { config } from '#lib/core/config/config.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { store } from '#lib/core/files/files.ts'
import { hlsEncodingArgs, type Rendition, renditionsOf } from '#lib/core/media/ladder.ts'
import { measureGain } from '#lib/core/media/loudness.ts'
import { describeVariant, masterPlaylist } from '#lib/core/media/playlist.ts'
import { convertToWebp, createPosters } from '#lib/core/media/poster.ts'
import { type MediaSource, probeMedia } from '#lib/core/media/probe.ts'
import { MediaError, runMediaTask } from '#lib/core/media/run.ts'
import { planStoryboard, type Storyboard } from '#lib/core/media/storyboard.ts'
import { video } from '../table.ts'
import { createProgressReporter, type EncodingRun, enterState, isCurrentAttempt, Superseded } from './encoding-run.ts'
import type { Rendition, StreamFacts } from './schema.ts'
import { putFile, putFolder, recordOutput } from './video-output.ts'
import { requireSpaceForOriginal, requireSpaceForRungs, runWithDiskGuard } from './video-space.ts'

/**
 * Time limit of the encoder: seconds for each second of video, proportionally more above 1080p, and a maximum.
 * Generous: two busy cores need about 0.4 for 720p. Together less than ENCODE_HOURS.
 */
const TIME_LIMITS = { first: { each: 3, most: 8 * 3600 }, rest: { each: 6, most: 15 * 3600 } }
const BASE_SECONDS = 300
const FULL_HD_PIXELS = 1920 * 1080

/** The completed output. */
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
    const rungs = source.video ? renditionsOf(source.video) : []
    const made = await recordSource(encoding, source, rungs)
    if (made.posters === 0) await createPosters(encoding, source)
    const missing = rungs.filter(
      ({ size }) => !made.renditions.some((rendition) => rendition.size === size && rendition.ready),
    )
    if (missing.length > 0) await requireSpaceForRungs(localCopy.path, missing, source.seconds)
    const weights = planProgress(missing, missing.includes(rungs[0] ?? NO_RUNG))
    await encodeFirst(
      encoding,
      source,
      made,
      missing.filter((rung) => rung === rungs[0]),
      weights.first,
    )
    await encodeRest(
      encoding,
      source,
      made,
      missing.filter((rung) => rung !== rungs[0]),
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

const NO_RUNG: Rendition = { size: 0, width: 0, height: 0 }

async function recordSource(
  encoding: EncodingRun,
  { seconds, isTruncated: truncated, video: picture, audio: sound }: MediaSource,
  rungs: readonly Rendition[],
): Promise<TranscodingOutput> {
  return inTenant(encoding, async (tx) => {
    const { renditions, soundFacts, storyboard, posters } = video
    const [before] = await tx
      .select({ renditions, soundFacts, storyboard, posters })
      .from(video)
      .where(isCurrentAttempt(encoding))
    if (!before) throw new Superseded()
    const planned = rungs.map(
      (rung) =>
        before.renditions.find(({ size, ready }) => size === rung.size && ready) ??
        ({ ...rung, bandwidth: 0, average: 0, codecs: '', ready: false } satisfies Rendition),
    )
    const facts = {
      duration: Math.max(1, Math.round(seconds)),
      truncated,
      hasPicture: picture !== null,
      hasSound: sound !== null,
    }
    await tx
      .update(video)
      .set({ ...facts, renditions: planned })
      .where(isCurrentAttempt(encoding))
    return { ...before, renditions: planned }
  })
}

async function createPosters(encoding: EncodingRun, source: MediaSource): Promise<void> {
  const { paths, best } = await createPosters(encoding.encoder, source, encoding)
  for (const [nth, from] of paths.entries()) await putFile(encoding, from, `poster/${nth}.webp`)
  await recordOutput(encoding, { posters: paths.length, poster: best, progress: 2 })
  await enterState(encoding, 'processing', { detail: 'poster' })
}

// In proportion to pixels, as the encoding time.
function planProgress(missing: readonly Rendition[], withFirst: boolean): { first: number } {
  const pixels = missing.map(({ width, height }) => width * height)
  const all = pixels.reduce((sum, count) => sum + count, 0)
  return { first: missing.length === 0 ? 95 : 3 + 92 * (withFirst ? (pixels[0] ?? 0) / all : 0) }
}

async function encodeFirst(
  encoding: EncodingRun,
  source: MediaSource,
  made: TranscodingOutput,
  rungs: readonly Rendition[],
  until: number,
): Promise<void> {
  const withSound = source.audio !== null && made.soundFacts === null
  const storyboard = source.video && !made.storyboard ? planStoryboard(source.seconds, source.video) : null
  if (rungs.length === 0 && !withSound && !storyboard) return
  const gain = withSound ? await measureGain(encoding.encoder, source, encoding) : null
  await enterState(encoding, 'encoding')
  const folders = [...rungs.map(({ size }) => String(size)), ...(withSound ? ['sound'] : [])]
  const tell = createProgressReporter(encoding, 'encoding', 3, until)
  await encode(encoding, source, { rungs, gain, storyboard, folders, tell, patience: TIME_LIMITS.first })
  if (storyboard) {
    const drawn = await convertToWebp(encoding.folder, 'storyboard', 70)
    if (drawn) await putFile(encoding, drawn.path, 'storyboard.webp')
    made.storyboard = drawn && storyboard
  }
  for (const folder of folders) await putFolder(encoding, folder, `hls/${folder}`)
  if (withSound) made.soundFacts = await describeVariant(path.join(encoding.folder, 'sound'))
  await publishRenditions(encoding, made, rungs, until)
}

async function encodeRest(
  encoding: EncodingRun,
  source: MediaSource,
  made: TranscodingOutput,
  rungs: readonly Rendition[],
  from: number,
): Promise<void> {
  if (rungs.length === 0) return
  const folders = rungs.map(({ size }) => String(size))
  const tell = createProgressReporter(encoding, 'resolutionFinished', from, 99)
  await encode(encoding, source, { rungs, gain: null, storyboard: null, folders, tell, patience: TIME_LIMITS.rest })
  for (const folder of folders) await putFolder(encoding, folder, `hls/${folder}`)
  await publishRenditions(encoding, made, rungs, 99)
}

interface EncodeTask {
  rungs: readonly Rendition[]
  gain: number | null
  storyboard: Storyboard | null
  folders: readonly string[]
  tell(share: number): void
  patience: { each: number; most: number }
}

async function encode(
  encoding: EncodingRun,
  source: MediaSource,
  { folders, tell, patience, ...what }: EncodeTask,
): Promise<void> {
  for (const folder of folders) await mkdir(path.join(encoding.folder, folder), { recursive: true })
  let reached = 0
  await runWithDiskGuard(encoding.signal, (signal) =>
    runMediaTask(encoding.encoder, {
      program: 'ffmpeg',
      args: hlsEncodingArgs({ source, preset: config.encodePreset, ...what }),
      folder: encoding.folder,
      signal,
      timeoutSeconds: limitOf(source, patience),
      onProgress: (at) => {
        reached = Math.max(reached, at)
        tell(at / source.seconds)
      },
    }),
  )
  // A truncated file encodes without an error up to its end.
  if (reached < source.seconds * 0.9 - 0.5) {
    throw new MediaError('damaged', `${reached.toFixed(1)} s / ${source.seconds.toFixed(1)} s`)
  }
}

function limitOf({ seconds, video: picture }: MediaSource, { each, most }: EncodeTask['patience']): number {
  const weight = Math.max(1, (picture ? picture.width * picture.height : 0) / FULL_HD_PIXELS)
  return Math.min(most, BASE_SECONDS + seconds * each * weight)
}

/** Rewrites the master playlist for all completed renditions, then publishes them. */
async function publishRenditions(
  encoding: EncodingRun,
  made: TranscodingOutput,
  rungs: readonly Rendition[],
  progress: number,
): Promise<void> {
  for (const { size } of rungs) {
    const facts = await describeVariant(path.join(encoding.folder, String(size)))
    made.renditions = made.renditions.map((rendition) =>
      rendition.size === size ? { ...rendition, ...facts, ready: true } : rendition,
    )
  }
  const whole = made.renditions.filter(({ ready }) => ready)
  await putFile(encoding, Buffer.from(masterPlaylist(whole, made.soundFacts)), 'hls/master.m3u8')
  const { renditions, soundFacts, storyboard } = made
  await recordOutput(encoding, {
    renditions,
    soundFacts,
    soundReady: soundFacts !== null,
    storyboard,
    progress: Math.floor(progress),
  })
  for (const { size } of rungs) await enterState(encoding, 'resolutionFinished', { detail: String(size) })
}
