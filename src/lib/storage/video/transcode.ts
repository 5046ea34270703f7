import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { config } from '#lib/core/config/config.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { store } from '#lib/core/files/files.ts'
import { ladderArgs, type Rung, rungsOf } from '#lib/core/media/ladder.ts'
import { measureGain } from '#lib/core/media/loudness.ts'
import { describe, masterPlaylist } from '#lib/core/media/playlist.ts'
import { convert, drawPosters } from '#lib/core/media/poster.ts'
import { probe, type Source } from '#lib/core/media/probe.ts'
import { MediaError, run } from '#lib/core/media/run.ts'
import { planStoryboard, type Storyboard } from '#lib/core/media/storyboard.ts'
import { video } from '../table.ts'
import { createProgressReporter, type EncodingRun, enterState, isCurrentAttempt, Superseded } from './encoding-run.ts'
import type { Rendition, StreamFacts } from './schema.ts'
import { putFile, putFolder, recordOutput } from './video-output.ts'
import { requireSpaceForOriginal, requireSpaceForRungs, runWithDiskGuard } from './video-space.ts'

/**
 * Seconds of work for each second of film, more where it is larger than 1080p, and at most; what takes longer gives up
 * with a reason. Generous: two busy cores need about 0.4 for 720p. Together less than ENCODE_HOURS.
 */
const TIME_LIMITS = { first: { each: 3, most: 8 * 3600 }, rest: { each: 6, most: 15 * 3600 } }
const BASE_SECONDS = 300
const FULL_HD_PIXELS = 1920 * 1080

/** What is whole so far. */
interface TranscodingOutput {
  renditions: Rendition[]
  soundFacts: StreamFacts | null
  storyboard: Storyboard | null
  posters: number
}

/**
 * All that is made of one file, step by step, each whole before it is told of: posters, then the lowest resolution with
 * the sound and the storyboard in one run, then all other resolutions in another one. Throws MediaError, Superseded.
 */
export async function transcodeVideo(work: EncodingRun): Promise<void> {
  const key = `${work.tenantId}/${work.fileId}`
  await requireSpaceForOriginal((await store.stat(key))?.size ?? 0)
  const localCopy = await store.lend(key, work.folder)
  if (!localCopy) throw new MediaError('damaged', 'the original is not there')
  try {
    const source = await probe(work.encoder, localCopy.path, work)
    const rungs = source.picture ? rungsOf(source.picture) : []
    const made = await recordSource(work, source, rungs)
    if (made.posters === 0) await createPosters(work, source)
    const missing = rungs.filter(({ size }) => !made.renditions.some((one) => one.size === size && one.ready))
    if (missing.length > 0) await requireSpaceForRungs(localCopy.path, missing, source.seconds)
    const weights = planProgress(missing, missing.includes(rungs[0] ?? NO_RUNG))
    await encodeFirst(
      work,
      source,
      made,
      missing.filter((rung) => rung === rungs[0]),
      weights.first,
    )
    await encodeRest(
      work,
      source,
      made,
      missing.filter((rung) => rung !== rungs[0]),
      weights.first,
    )
    await enterState(work, 'finished', {
      detail: source.truncated ? 'truncated' : null,
      set: { progress: 100, endedAt: new Date(), failureDetail: null },
    })
  } finally {
    await localCopy.done()
  }
}

const NO_RUNG: Rung = { size: 0, width: 0, height: 0 }

async function recordSource(
  work: EncodingRun,
  { seconds, truncated, picture, sound }: Source,
  rungs: readonly Rung[],
): Promise<TranscodingOutput> {
  return inTenant(work, async (tx) => {
    const { renditions, soundFacts, storyboard, posters } = video
    const [before] = await tx
      .select({ renditions, soundFacts, storyboard, posters })
      .from(video)
      .where(isCurrentAttempt(work))
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
      .where(isCurrentAttempt(work))
    return { ...before, renditions: planned }
  })
}

async function createPosters(work: EncodingRun, source: Source): Promise<void> {
  const { paths, best } = await drawPosters(work.encoder, source, work)
  for (const [nth, from] of paths.entries()) await putFile(work, from, `poster/${nth}.webp`)
  await recordOutput(work, { posters: paths.length, poster: best, progress: 2 })
  await enterState(work, 'processing', { detail: 'poster' })
}

// By pixels: that is about what encoding costs.
function planProgress(missing: readonly Rung[], withFirst: boolean): { first: number } {
  const pixels = missing.map(({ width, height }) => width * height)
  const all = pixels.reduce((sum, one) => sum + one, 0)
  return { first: missing.length === 0 ? 95 : 3 + 92 * (withFirst ? (pixels[0] ?? 0) / all : 0) }
}

async function encodeFirst(
  work: EncodingRun,
  source: Source,
  made: TranscodingOutput,
  rungs: readonly Rung[],
  until: number,
): Promise<void> {
  const withSound = source.sound !== null && made.soundFacts === null
  const storyboard = source.picture && !made.storyboard ? planStoryboard(source.seconds, source.picture) : null
  if (rungs.length === 0 && !withSound && !storyboard) return
  const gain = withSound ? await measureGain(work.encoder, source, work) : null
  await enterState(work, 'encoding')
  const folders = [...rungs.map(({ size }) => String(size)), ...(withSound ? ['sound'] : [])]
  const tell = createProgressReporter(work, 'encoding', 3, until)
  await encode(work, source, { rungs, gain, storyboard, folders, tell, patience: TIME_LIMITS.first })
  if (storyboard) {
    const drawn = await convert(work.folder, 'storyboard', 70)
    if (drawn) await putFile(work, drawn.path, 'storyboard.webp')
    made.storyboard = drawn && storyboard
  }
  for (const folder of folders) await putFolder(work, folder, `hls/${folder}`)
  if (withSound) made.soundFacts = await describe(path.join(work.folder, 'sound'))
  await publishRenditions(work, made, rungs, until)
}

async function encodeRest(
  work: EncodingRun,
  source: Source,
  made: TranscodingOutput,
  rungs: readonly Rung[],
  from: number,
): Promise<void> {
  if (rungs.length === 0) return
  const folders = rungs.map(({ size }) => String(size))
  const tell = createProgressReporter(work, 'resolutionFinished', from, 99)
  await encode(work, source, { rungs, gain: null, storyboard: null, folders, tell, patience: TIME_LIMITS.rest })
  for (const folder of folders) await putFolder(work, folder, `hls/${folder}`)
  await publishRenditions(work, made, rungs, 99)
}

interface EncodeTask {
  rungs: readonly Rung[]
  gain: number | null
  storyboard: Storyboard | null
  folders: readonly string[]
  tell(share: number): void
  patience: { each: number; most: number }
}

async function encode(
  work: EncodingRun,
  source: Source,
  { folders, tell, patience, ...what }: EncodeTask,
): Promise<void> {
  for (const folder of folders) await mkdir(path.join(work.folder, folder), { recursive: true })
  let reached = 0
  await runWithDiskGuard(work.signal, (signal) =>
    run(work.encoder, {
      program: 'ffmpeg',
      args: ladderArgs({ source, preset: config.encodePreset, ...what }),
      folder: work.folder,
      signal,
      seconds: limitOf(source, patience),
      onProgress: (at) => {
        reached = Math.max(reached, at)
        tell(at / source.seconds)
      },
    }),
  )
  // A file that was cut off encodes without an error up to where it ends.
  if (reached < source.seconds * 0.9 - 0.5) {
    throw new MediaError('damaged', `${reached.toFixed(1)} s / ${source.seconds.toFixed(1)} s`)
  }
}

function limitOf({ seconds, picture }: Source, { each, most }: EncodeTask['patience']): number {
  const weight = Math.max(1, (picture ? picture.width * picture.height : 0) / FULL_HD_PIXELS)
  return Math.min(most, BASE_SECONDS + seconds * each * weight)
}

/** Rewrites the master playlist for all that is whole now, then tells of it. */
async function publishRenditions(
  work: EncodingRun,
  made: TranscodingOutput,
  rungs: readonly Rung[],
  progress: number,
): Promise<void> {
  for (const { size } of rungs) {
    const facts = await describe(path.join(work.folder, String(size)))
    made.renditions = made.renditions.map((one) => (one.size === size ? { ...one, ...facts, ready: true } : one))
  }
  const whole = made.renditions.filter(({ ready }) => ready)
  await putFile(work, Buffer.from(masterPlaylist(whole, made.soundFacts)), 'hls/master.m3u8')
  const { renditions, soundFacts, storyboard } = made
  await recordOutput(work, {
    renditions,
    soundFacts,
    soundReady: soundFacts !== null,
    storyboard,
    progress: Math.floor(progress),
  })
  for (const { size } of rungs) await enterState(work, 'resolutionFinished', { detail: String(size) })
}
