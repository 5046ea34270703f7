import { stat } from 'node:fs/promises'
import { z } from 'zod'
import { HOUR_SECONDS } from '../shared/time.ts'
import type { Encoder } from './encoder.ts'
import { BASE_ARGS, INPUT_RESTRICTIONS, inputArgs, MAX_FRAME_PIXELS, PROGRESS_ARGS } from './ffmpeg-args.ts'
import { isSegmentCut } from './matroska-segment.ts'
import { MediaError, runMediaTask } from './media-task.ts'

/** Maximum duration of a file in seconds. */
const MAX_SECONDS = 6 * HOUR_SECONDS
const MAX_STREAMS = 64
const MAX_SIDE_PX = 8192

export interface VideoStream {
  /** Of the stream in the file. */
  index: number
  /** Display size: after rotation, with square pixels. */
  width: number
  height: number
  /** Frame rate of the encoded video, as a fraction. */
  frameRate: { num: number; den: number }
  isInterlaced: boolean
  /** The pixels are square and in a format that encoders accept: at the original size no conversion is needed. */
  needsNoConversion: boolean
}

/** The streams of a file to encode: video, audio or both. */
export interface MediaSource {
  path: string
  /** Of a truncated file: the readable part. */
  seconds: number
  /** The end of the file is missing. Detected for Matroska and WebM, which can be read up to any byte. */
  isTruncated: boolean
  video: VideoStream | null
  audio: { index: number } | null
  /** Stream index of the cover of an album. */
  coverIndex: number | null
}

interface TaskContext {
  folder: string
  signal: AbortSignal
}

/** Reads duration and streams of a file. Throws MediaError: empty, damaged, nothing_inside, too_long, too_heavy. */
export async function probeMedia(encoder: Encoder, path: string, where: TaskContext): Promise<MediaSource> {
  if ((await stat(path)).size === 0) throw new MediaError('empty')
  const args = [
    '-v',
    'error',
    ...INPUT_RESTRICTIONS,
    '-of',
    'json',
    '-show_entries',
    PROBE_ENTRIES,
    '-i',
    `file:${path}`,
  ]
  const { stdout } = await runMediaTask(encoder, { program: 'ffprobe', args, timeoutSeconds: 60, ...where }).catch(
    (error: unknown) => {
      // ffprobe only reads, so an error means a damaged file, unless the process was killed.
      if (error instanceof MediaError && error.fault === 'crashed' && error.stderrTail) {
        throw new MediaError('damaged', error.stderrTail)
      }
      throw error
    },
  )
  const parsed = ProbeOutput.safeParse(JSON.parse(stdout || '{}'))
  if (!parsed.success) throw new MediaError('damaged', 'no format that is known')
  const { streams, format } = parsed.data
  if (streams.length > MAX_STREAMS) throw new MediaError('too_heavy', `${streams.length} streams`)
  const source = { path, ...selectStreams(streams) }
  if (!source.video && !source.audio) throw new MediaError('nothing_inside')
  const statedSeconds = ESTIMATED_DURATION.test(format.format_name) ? Number.NaN : Number(format.duration ?? Number.NaN)
  const { seconds, isTruncated } = await measureDuration(encoder, path, {
    ...where,
    statedSeconds,
    format: format.format_name,
  })
  if (seconds > MAX_SECONDS) throw new MediaError('too_long', `${Math.round(seconds)} s`)
  if (!(seconds > 0)) throw new MediaError('damaged', 'it has no length')
  if (isTruncated && seconds < MIN_READABLE_SECONDS) throw new MediaError('damaged', 'its end is missing')
  return { ...source, seconds, isTruncated }
}

/** Minimum readable duration of a truncated file in seconds. */
const MIN_READABLE_SECONDS = 1

/** Containers that do not store a duration: ffprobe estimates it from the bit rate of the first frame. */
const ESTIMATED_DURATION = /^(mp3|aac|ac3|eac3|amr|h264|hevc|m4v|mpegvideo)$/

const PROBE_ENTRIES = [
  'format=format_name,duration',
  'stream=index,codec_type,codec_name,pix_fmt,width,height,sample_aspect_ratio,avg_frame_rate,r_frame_rate,field_order,channels',
  'stream_disposition=default,attached_pic,timed_thumbnails',
  'stream_side_data=rotation',
].join(':')

const Stream = z.object({
  index: z.number().int(),
  codec_type: z.string().default(''),
  codec_name: z.string().default(''),
  pix_fmt: z.string().default(''),
  width: z.number().default(0),
  height: z.number().default(0),
  channels: z.number().default(0),
  sample_aspect_ratio: z.string().default('1:1'),
  avg_frame_rate: z.string().default('0/0'),
  r_frame_rate: z.string().default('0/0'),
  field_order: z.string().default(''),
  disposition: z.record(z.string(), z.number()).default({}),
  side_data_list: z.array(z.object({ rotation: z.number().default(0) })).default([]),
})
type Stream = z.output<typeof Stream>
const ProbeOutput = z.object({
  streams: z.array(Stream),
  format: z.object({ format_name: z.string(), duration: z.string().optional() }),
})

function selectStreams(streams: Stream[]): Pick<MediaSource, 'video' | 'audio' | 'coverIndex'> {
  const pictures = streams.filter(({ codec_type, codec_name }) => codec_type === 'video' && codec_name)
  const isCover = ({ disposition }: Stream) => Boolean(disposition.attached_pic || disposition.timed_thumbnails)
  const moving = defaultStream(pictures.filter((stream) => !isCover(stream) && stream.width > 0 && stream.height > 0))
  const sound = defaultStream(
    streams.filter(({ codec_type, codec_name, channels }) => codec_type === 'audio' && codec_name && channels > 0),
  )
  return {
    video: moving ? videoStreamOf(moving) : null,
    audio: sound ? { index: sound.index } : null,
    coverIndex: pictures.find(isCover)?.index ?? null,
  }
}

const defaultStream = (streams: Stream[]): Stream | undefined =>
  streams.find(({ disposition }) => disposition.default) ?? streams[0]

function videoStreamOf(stream: Stream): VideoStream {
  const [across = 1, down = 1] = stream.sample_aspect_ratio.split(':').map(Number)
  const wide = across > 0 && down > 0 ? Math.max(1, Math.round((stream.width * across) / down)) : stream.width
  const turned = stream.side_data_list.some(({ rotation }) => Math.abs(rotation) % 180 === 90)
  if (Math.max(wide, stream.width, stream.height) > MAX_SIDE_PX || stream.width * stream.height > MAX_FRAME_PIXELS) {
    throw new MediaError('too_heavy', `${stream.width}×${stream.height}`)
  }
  return {
    index: stream.index,
    width: turned ? stream.height : wide,
    height: turned ? wide : stream.height,
    frameRate: frameRateOf(parseFraction(stream.avg_frame_rate), parseFraction(stream.r_frame_rate)),
    needsNoConversion: stream.pix_fmt === 'yuv420p' && wide === stream.width,
    isInterlaced: /^(tt|bb|tb|bt)$/.test(stream.field_order),
  }
}

/**
 * A constant frame rate for variable ones: the average when it equals the nominal rate, at least the nominal rate up to
 * 30 for irregular frames; above 32 every second (third …) frame is dropped.
 */
function frameRateOf(average: number, nominal: number): { num: number; den: number } {
  const isConstantRate = Math.abs(average - nominal) < nominal * 0.02
  const steadyRate = isConstantRate ? nominal : Math.max(average, Math.min(nominal || 30, 30))
  const rate = Math.max(1, steadyRate > 0 && steadyRate < 1000 ? steadyRate : 30)
  const shown = rate > 32 ? rate / Math.ceil(rate / 30 - 0.01) : rate
  const ntscRate = [24, 30].find((round) => Math.abs(shown - round / 1.001) < 0.005)
  return ntscRate ? { num: ntscRate * 1000, den: 1001 } : { num: Math.round(shown * 1000), den: 1000 }
}

function parseFraction(text: string): number {
  const [num = 0, den = 0] = text.split('/').map(Number)
  return den > 0 ? num / den : 0
}

interface DurationContext extends TaskContext {
  /** Seconds, or NaN. */
  statedSeconds: number
  format: string
}

// Recordings of browsers have no duration either: the file has to be read to its end.
async function measureDuration(
  encoder: Encoder,
  path: string,
  { statedSeconds, format, ...where }: DurationContext,
): Promise<Pick<MediaSource, 'seconds' | 'isTruncated'>> {
  const matroska = format === 'matroska,webm'
  const cut = matroska && (await isSegmentCut(path))
  if (statedSeconds > 0 && !cut) return { seconds: statedSeconds, isTruncated: false }
  const { seconds, ended } = await decodeDuration(encoder, path, where)
  // Only tables follow the last frame.
  if (statedSeconds > 0 && seconds > statedSeconds - 1) return { seconds: statedSeconds, isTruncated: false }
  return { seconds, isTruncated: matroska && (cut || !ended) }
}

async function decodeDuration(
  encoder: Encoder,
  path: string,
  where: TaskContext,
): Promise<{ seconds: number; ended: boolean }> {
  let seconds = 0
  const args = [
    ...BASE_ARGS,
    ...PROGRESS_ARGS,
    ...inputArgs(path),
    '-map',
    '0:v?',
    '-map',
    '0:a?',
    '-c',
    'copy',
    '-f',
    'null',
    '-',
  ]
  const onProgress = (at: number) => {
    seconds = Math.max(seconds, at)
  }
  const { stderr } = await runMediaTask(encoder, { program: 'ffmpeg', args, timeoutSeconds: 600, onProgress, ...where })
  return { seconds, ended: !/File ended prematurely/.test(stderr) }
}
