import { createReadStream, createWriteStream } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { config } from '../../config/config.ts'
import { type Encoder, findEncoder } from '../../media/encoder.ts'
import { inputOf, PROGRESS, QUIET, THREADS } from '../../media/guard.ts'
import { MediaError, run } from '../../media/run.ts'
import { withScratch } from '../../media/scratch.ts'
import {
  FILM_RATE,
  type FilmPlan,
  type Place,
  planFilm,
  type Scene,
  type SlidePlace,
  type StageTurn,
} from './compose-plan.ts'
import { cutPicture, cutSound, type RecordedStream, readStreams, spansOf } from './compose-source.ts'

export interface ComposedFilm {
  path: string
  seconds: number
  /** Ms from the beginning of the session to that of the film. */
  offsetMs: number
}

export interface Composing {
  signal: AbortSignal
  /** Slides and modes of the stage; without them the film shows the streams alone. */
  turns?: readonly StageTurn[]
  /** Share that is done, 0 to 1. */
  progress?: (share: number) => void
}

/** Share of the whole work that the sound takes, and the joining. */
const JOINING = 0.1
/** Seconds a run may take for each second of film, and at least. */
const PATIENCE = { each: 20, least: 120 }

/**
 * Makes one film (MP4, H.264 and AAC) of all streams that were recorded in a directory (see record.ts), from `since` to
 * `until`: its second 0 is `since`. Screens (`…-screen`) fill it with cameras in the corner, cameras alone stand side by
 * side, all sound is mixed, gaps are black and silent. Throws MediaError: `empty` when nothing was recorded in that time,
 * `stopped` without ffmpeg or by the signal.
 */
export async function composeRecording(
  directory: string,
  { since, until }: { since: Date; until: Date },
  out: string,
  { signal, turns = [], progress = () => {} }: Composing,
): Promise<ComposedFilm> {
  const encoder = await findEncoder()
  if (!encoder) throw new MediaError('stopped', 'there is no ffmpeg')
  const streams = await readStreams(directory)
  const [from, end] = [since.getTime(), until.getTime()]
  const within = streams.some(({ segments }) => segments.some((one) => one.at < end && (one.until ?? one.at) > from))
  if (!within) throw new MediaError('empty')
  const plan = planFilm(streams.flatMap(spansOf), { since: from, until: end }, turns)
  await withScratch(async (folder) => {
    const work: Work = { encoder, folder, signal, streams, since: from }
    let done = 0
    const film = path.join(folder, 'film.h264')
    for (const scene of plan.scenes) {
      const share = (scene.frames / plan.frames) * (1 - JOINING)
      const made = await makeScene(work, plan, scene, (frames) =>
        progress(done + share * Math.min(1, frames / scene.frames)),
      )
      await pipeline(createReadStream(made), createWriteStream(film, { flags: 'a' }))
      done += share
      progress(done)
    }
    await join(work, plan, film, out)
    progress(1)
  })
  return { path: out, seconds: plan.frames / FILM_RATE, offsetMs: 0 }
}

interface Work {
  encoder: Encoder
  folder: string
  signal: AbortSignal
  streams: readonly RecordedStream[]
  since: number
}

async function makeScene(work: Work, plan: FilmPlan, scene: Scene, tell: (frames: number) => void): Promise<string> {
  const { encoder, folder, signal } = work
  const shown = await cutAll(work, scene)
  const made = path.join(folder, 'scene.h264')
  const { width, height } = plan
  const black = `color=black:size=${width}x${height}:rate=${FILM_RATE},format=yuv420p`
  const inputs = [
    ...(scene.slide ? [{ place: scene.slide, options: slideOf(scene.slide.picture), timing: STILL }] : []),
    ...shown.map(({ place, file, late }) => ({ place, options: inputOf(file), timing: steady(late) })),
  ]
  const pictures = inputs.map(({ place, timing }, nth) => `[${nth}:v]${timing},${fitted(place)}[p${nth}]`)
  const layers = inputs.map(
    ({ place }, nth) => `[${nth ? `l${nth - 1}` : 'black'}][p${nth}]overlay=${place.x}:${place.y}[l${nth}]`,
  )
  const graph = [`${black}[black]`, ...pictures, ...layers].join(';')
  const args = [
    ...QUIET,
    ...PROGRESS,
    ...inputs.flatMap(({ options }) => options),
    '-filter_complex',
    graph,
    '-map',
    inputs.length ? `[l${inputs.length - 1}]` : '[black]',
    '-frames:v',
    String(scene.frames),
    '-vsync',
    'passthrough',
    '-c:v',
    'libx264',
    '-preset',
    config.encodePreset,
    // Without frames that look ahead scenes can be put one behind the other as they are.
    '-crf',
    '23',
    '-bf',
    '0',
    '-g',
    String(FILM_RATE * 4),
    '-pix_fmt',
    'yuv420p',
    '-threads',
    THREADS,
    '-f',
    'h264',
    made,
  ]
  const onProgress = (seconds: number) => tell(seconds * FILM_RATE)
  await run(encoder, { program: 'ffmpeg', args, folder, signal, seconds: patience(scene.frames), onProgress })
  return made
}

interface Shown {
  place: Place
  file: string
  /** Seconds from the scene's beginning to the file's; below 0 when it began before. */
  late: number
}

async function cutAll({ folder, streams, since }: Work, { from, frames, places }: Scene): Promise<Shown[]> {
  const half = 500 / FILM_RATE
  const [begins, ends] = [since + (from * 1000) / FILM_RATE, since + ((from + frames) * 1000) / FILM_RATE]
  const shown: Shown[] = []
  for (const place of places) {
    const stream = streams.find(({ name }) => name === place.stream)
    const file = path.join(folder, `picture-${shown.length}.mkv`)
    const cut = stream && (await cutPicture(stream, { from: begins + half, until: ends - half }, file))
    if (cut) shown.push({ place, file, late: (cut.at - begins) / 1000 })
  }
  return shown
}

// The picture that was there before the scene began is its first, the last one stays as long as it must.
const steady = (late: number): string =>
  `setpts=PTS+${late.toFixed(4)}/TB,fps=${FILM_RATE}:start_time=0,tpad=stop=-1:stop_mode=clone`

// One picture for as long as the scene lasts; it was made here and is no file from outside.
const STILL = `loop=loop=-1:size=1:start=0,setpts=N/${FILM_RATE}/TB`
const slideOf = (picture: string): string[] => [
  '-protocol_whitelist',
  'file',
  '-format_whitelist',
  'png_pipe',
  '-f',
  'png_pipe',
  '-framerate',
  String(FILM_RATE),
  '-i',
  `file:${picture}`,
]

const fitted = ({ width, height }: Place | SlidePlace): string =>
  `scale=${width}:${height}:force_original_aspect_ratio=decrease:out_range=tv,pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2,setsar=1,format=yuv420p`

async function join(
  { encoder, folder, signal, streams, since }: Work,
  { frames }: FilmPlan,
  film: string,
  out: string,
) {
  const seconds = frames / FILM_RATE
  const sounds: string[] = []
  for (const stream of streams) {
    const file = path.join(folder, `sound-${sounds.length}.mkv`)
    if (await cutSound(stream, { from: since, until: since + seconds * 1000 }, file)) sounds.push(file)
  }
  const filled = sounds.map((_, nth) => `[${nth + 1}:a]${FILLED},apad=whole_dur=${seconds.toFixed(3)}[s${nth}]`)
  const all = sounds.map((_, nth) => `[s${nth}]`).join('')
  const mixed = `${all}amix=inputs=${sounds.length}:normalize=0,${LIMITED},atrim=end=${seconds.toFixed(3)}[sound]`
  const sound = sounds.length > 0 ? ['-filter_complex', [...filled, mixed].join(';'), '-map', '[sound]', ...AAC] : []
  const args = [
    ...QUIET,
    ...inputOf(film, '-fflags', '+genpts', '-framerate', String(FILM_RATE), '-f', 'h264'),
    ...sounds.flatMap((file) => inputOf(file)),
    '-map',
    '0:v',
    '-c:v',
    'copy',
    ...sound,
    '-movflags',
    '+faststart',
    '-f',
    'mp4',
    `file:${out}`,
  ]
  await run(encoder, { program: 'ffmpeg', args, folder, signal, seconds: patience(frames) })
}

// Silence stands where nothing came, so that the sound stays with the picture.
const FILLED = 'aresample=48000:async=1:min_hard_comp=0.03:first_pts=0,aformat=sample_fmts=fltp:channel_layouts=stereo'
const LIMITED = 'alimiter=limit=0.89:level=false'
const AAC = ['-c:a', 'aac', '-b:a', '128k']

const patience = (frames: number): number => PATIENCE.least + (frames / FILM_RATE) * PATIENCE.each
