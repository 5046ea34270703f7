import { createReadStream, createWriteStream } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { config } from '../../config/config.ts'
import { type Encoder, findEncoder } from '../../media/encoder.ts'
import { BASE_ARGS, inputArgs, PROGRESS_ARGS, THREAD_COUNT } from '../../media/ffmpeg-args.ts'
import { MediaError, runMediaTask } from '../../media/media-task.ts'
import { withTemporaryFolder } from '../../media/temporary-folder.ts'
import {
  type CompositionPlan,
  DRAFT_FRAME_SIZE,
  FRAME_RATE,
  planComposition,
  type RecordingScene,
  type SlideArea,
  type StageChange,
  type VideoArea,
} from './compose-plan.ts'
import { cutAudio, cutVideo, type RecordedStream, readRecordedStreams, videoSpans } from './compose-source.ts'
import { clipSpans, type TimeRange } from './time-range.ts'

export interface ComposedVideo {
  path: string
  seconds: number
  /** Offset of the start of the video from the start of the session. */
  offsetMs: number
}

export interface ComposeOptions {
  signal: AbortSignal
  /** Slides and modes of the stage; without them the video shows the streams only. */
  stageChanges?: readonly StageChange[]
  /** When a stream was on the stage; the rest of it is neither shown nor heard. Without it, everything recorded is. */
  stageTimesOf?: (stream: string) => readonly TimeRange[]
  /** A small frame, encoded fast, for a preliminary video; it has a picture and sound even where nothing was recorded. */
  isDraft?: boolean
  /** Called with the completed share, 0 to 1. */
  onProgress?: (share: number) => void
}

/** Share of the progress for mixing the audio and joining the scenes. */
const JOIN_SHARE = 0.1
/** Time limit of an ffmpeg run in seconds: for each second of video, and at least. */
const TIME_LIMIT_SECONDS = { each: 20, least: 120 }

/**
 * Composes one video (MP4, H.264 and AAC) from all streams recorded in a directory (see recorder.ts), from `since` to
 * `until`; second 0 is `since`. Screens (`…-screen`) fill the frame with cameras in the corner; cameras alone are
 * tiled; all audio is mixed; gaps are black and silent. Throws MediaError: `empty` when nothing was recorded in that
 * time, `stopped` without ffmpeg or by the signal.
 */
export async function composeRecording(
  directory: string,
  { since, until }: { since: Date; until: Date },
  outputPath: string,
  {
    signal,
    stageChanges = [],
    stageTimesOf = () => ALL_THE_TIME,
    isDraft = false,
    onProgress = () => {},
  }: ComposeOptions,
): Promise<ComposedVideo> {
  const encoder = await findEncoder()
  if (!encoder) throw new MediaError('stopped', 'there is no ffmpeg')
  const streams = await readRecordedStreams(directory)
  const [from, end] = [since.getTime(), until.getTime()]
  const hasSegments = streams.some(({ segments }) =>
    segments.some((segment) => segment.at < end && (segment.until ?? segment.at) > from),
  )
  if (!hasSegments && !isDraft) throw new MediaError('empty')
  const spans = streams.flatMap((stream) => clipSpans(videoSpans(stream), stageTimesOf(stream.name)))
  const plan = planComposition(spans, { since: from, until: end }, stageChanges, isDraft ? DRAFT_FRAME_SIZE : null)
  await withTemporaryFolder(async (folder) => {
    const job: ComposeJob = { encoder, folder, signal, streams, since: from, stageTimesOf, isDraft }
    let doneShare = 0
    const videoPath = path.join(folder, 'video.h264')
    for (const scene of plan.scenes) {
      const share = (scene.frameCount / plan.frameCount) * (1 - JOIN_SHARE)
      const scenePath = await encodeScene(job, plan, scene, (frames) =>
        onProgress(doneShare + share * Math.min(1, frames / scene.frameCount)),
      )
      await pipeline(createReadStream(scenePath), createWriteStream(videoPath, { flags: 'a' }))
      doneShare += share
      onProgress(doneShare)
    }
    await joinScenes(job, plan, videoPath, outputPath)
    onProgress(1)
  })
  return { path: outputPath, seconds: plan.frameCount / FRAME_RATE, offsetMs: 0 }
}

const ALL_THE_TIME: readonly TimeRange[] = [{ from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY }]

interface ComposeJob extends Required<Pick<ComposeOptions, 'stageTimesOf' | 'isDraft'>> {
  encoder: Encoder
  folder: string
  signal: AbortSignal
  streams: readonly RecordedStream[]
  since: number
}

async function encodeScene(
  job: ComposeJob,
  plan: CompositionPlan,
  scene: RecordingScene,
  onFrames: (frames: number) => void,
): Promise<string> {
  const { encoder, folder, signal } = job
  const clips = await cutClips(job, scene)
  const output = path.join(folder, 'scene.h264')
  const { width, height } = plan
  const background = `color=black:size=${width}x${height}:rate=${FRAME_RATE},format=yuv420p`
  const inputs = [
    ...(scene.slide ? [{ place: scene.slide, options: slideInput(scene.slide.imagePath), timing: STILL_TIMING }] : []),
    ...clips.map(({ area, file, delaySeconds }) => ({
      place: area,
      options: inputArgs(file),
      timing: timingFilter(delaySeconds),
    })),
  ]
  const pictures = inputs.map(({ place, timing }, nth) => `[${nth}:v]${timing},${fitFilter(place)}[p${nth}]`)
  const layers = inputs.map(
    ({ place }, nth) => `[${nth ? `l${nth - 1}` : 'black'}][p${nth}]overlay=${place.x}:${place.y}[l${nth}]`,
  )
  const graph = [`${background}[black]`, ...pictures, ...layers].join(';')
  const args = [
    ...BASE_ARGS,
    ...PROGRESS_ARGS,
    ...inputs.flatMap(({ options }) => options),
    '-filter_complex',
    graph,
    '-map',
    inputs.length ? `[l${inputs.length - 1}]` : '[black]',
    '-frames:v',
    String(scene.frameCount),
    '-vsync',
    'passthrough',
    '-c:v',
    'libx264',
    '-preset',
    job.isDraft ? 'ultrafast' : config.encodePreset,
    // Without B-frames the encoded scenes can be concatenated.
    '-crf',
    '23',
    '-bf',
    '0',
    '-g',
    String(FRAME_RATE * 4),
    '-pix_fmt',
    'yuv420p',
    '-threads',
    THREAD_COUNT,
    '-f',
    'h264',
    output,
  ]
  const onProgress = (seconds: number) => onFrames(seconds * FRAME_RATE)
  await runMediaTask(encoder, {
    program: 'ffmpeg',
    args,
    folder,
    signal,
    timeoutSeconds: timeLimitSeconds(scene.frameCount),
    onProgress,
  })
  return output
}

interface SceneClip {
  area: VideoArea
  file: string
  /** Seconds from the start of the scene to the start of the file; negative when the file starts earlier. */
  delaySeconds: number
}

async function cutClips(
  { folder, streams, since }: ComposeJob,
  { firstFrame, frameCount, areas }: RecordingScene,
): Promise<SceneClip[]> {
  const halfFrameMs = 500 / FRAME_RATE
  const [begins, ends] = [
    since + (firstFrame * 1000) / FRAME_RATE,
    since + ((firstFrame + frameCount) * 1000) / FRAME_RATE,
  ]
  const clips: SceneClip[] = []
  for (const area of areas) {
    const stream = streams.find(({ name }) => name === area.stream)
    const file = path.join(folder, `picture-${clips.length}.mkv`)
    const cut = stream && (await cutVideo(stream, { from: begins + halfFrameMs, until: ends - halfFrameMs }, file))
    if (cut) clips.push({ area, file, delaySeconds: (cut.at - begins) / 1000 })
  }
  return clips
}

// The scene starts with the latest earlier frame; its last frame is repeated to the end.
const timingFilter = (late: number): string =>
  `setpts=PTS+${late.toFixed(4)}/TB,fps=${FRAME_RATE}:start_time=0,tpad=stop=-1:stop_mode=clone`

// One image for the whole scene. The file was rendered here, so it needs no input restrictions of uploads.
const STILL_TIMING = `loop=loop=-1:size=1:start=0,setpts=N/${FRAME_RATE}/TB`
const slideInput = (picture: string): string[] => [
  '-protocol_whitelist',
  'file',
  '-format_whitelist',
  'png_pipe',
  '-f',
  'png_pipe',
  '-framerate',
  String(FRAME_RATE),
  '-i',
  `file:${picture}`,
]

const fitFilter = ({ width, height }: VideoArea | SlideArea): string =>
  `scale=${width}:${height}:force_original_aspect_ratio=decrease:out_range=tv,pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2,setsar=1,format=yuv420p`

async function joinScenes(
  { encoder, folder, signal, streams, since, stageTimesOf, isDraft }: ComposeJob,
  { frameCount }: CompositionPlan,
  videoPath: string,
  out: string,
) {
  const seconds = frameCount / FRAME_RATE
  const sounds: string[] = []
  for (const stream of streams) {
    const file = path.join(folder, `sound-${sounds.length}.mkv`)
    const range = { from: since, until: since + seconds * 1000 }
    if (await cutAudio(stream, range, file, stageTimesOf(stream.name))) sounds.push(file)
  }
  const filled = sounds.map((_, nth) => `[${nth + 1}:a]${FILL_SILENCE},apad=whole_dur=${seconds.toFixed(3)}[s${nth}]`)
  const all = sounds.map((_, nth) => `[s${nth}]`).join('')
  const source = sounds.length > 0 ? `${all}amix=inputs=${sounds.length}:normalize=0,${LIMITER}` : SILENT_SOURCE
  const mixed = `${source},atrim=end=${seconds.toFixed(3)}[sound]`
  const hasSound = sounds.length > 0 || isDraft
  const sound = hasSound ? ['-filter_complex', [...filled, mixed].join(';'), '-map', '[sound]', ...AAC] : []
  const args = [
    ...BASE_ARGS,
    ...inputArgs(videoPath, '-fflags', '+genpts', '-framerate', String(FRAME_RATE), '-f', 'h264'),
    ...sounds.flatMap((file) => inputArgs(file)),
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
  await runMediaTask(encoder, { program: 'ffmpeg', args, folder, signal, timeoutSeconds: timeLimitSeconds(frameCount) })
}

// Gaps are filled with silence, so that audio and video stay synchronized.
const FILL_SILENCE =
  'aresample=48000:async=1:min_hard_comp=0.03:first_pts=0,aformat=sample_fmts=fltp:channel_layouts=stereo'
const SILENT_SOURCE = 'anullsrc=r=48000:cl=stereo'
const LIMITER = 'alimiter=limit=0.89:level=false'
const AAC = ['-c:a', 'aac', '-b:a', '128k']

const timeLimitSeconds = (frames: number): number =>
  TIME_LIMIT_SECONDS.least + (frames / FRAME_RATE) * TIME_LIMIT_SECONDS.each
