import { BASE_ARGS, inputArgs, PROGRESS_ARGS, THREAD_COUNT } from './ffmpeg-args.ts'
import type { MediaSource, VideoStream } from './probe.ts'
import type { Storyboard } from './storyboard.ts'
import { storyboardFilter } from './storyboard.ts'

/** Segment length in seconds; in all resolutions a keyframe is placed at each of its multiples. */
const SEGMENT_SECONDS = 4

/** The size of the shorter side, as in 360p, so that a portrait video has the same resolution. */
export interface RenditionSize {
  /** Also the name of its folder. */
  size: number
  width: number
  height: number
}

const AUDIO_BPS = 128_000
const SIZES = [360, 720, 1080]
/** Maximum bit rate in bits per second, by the shorter side. */
const MAX_BITRATES: readonly [size: number, bits: number][] = [
  [360, 900_000],
  [720, 2_800_000],
  [1080, 5_000_000],
]

/** Resolutions of a video, the lowest first; none exceeds that of the video. */
export function renditionsOf({ width, height }: Pick<VideoStream, 'width' | 'height'>): RenditionSize[] {
  const short = Math.min(width, height)
  const sizes = SIZES.filter((size) => size <= short)
  return (sizes.length > 0 ? sizes : [short]).map((size) => ({
    size,
    width: roundToEven((width * size) / short),
    height: roundToEven((height * size) / short),
  }))
}

export interface HlsEncoding {
  source: MediaSource
  renditions: readonly RenditionSize[]
  /** Gain of the audio in decibels; null when this run does not encode the audio. */
  gainDb: number | null
  storyboard: Storyboard | null
  preset: string
}

/**
 * Arguments of one ffmpeg run that encodes these resolutions as fMP4 HLS (RFC 8216 with EXT-X-MAP) in `<size>/`, the
 * audio in `sound/` and the storyboard in `storyboard.jpg`, decoding the source once. The folders must exist.
 */
export function hlsEncodingArgs({ source, renditions, gainDb, storyboard, preset }: HlsEncoding): string[] {
  const { video, audio } = source
  const filters: string[] = []
  const outputs: string[] = []
  if (video && (renditions.length > 0 || storyboard)) {
    const ends = [...renditions.map(({ size }) => `s${size}`), ...(storyboard ? ['story'] : [])]
    filters.push(
      `[0:${video.index}]${frameRateFilter(video)},split=${ends.length}${ends.map((end) => `[${end}]`).join('')}`,
    )
    for (const rendition of renditions) {
      filters.push(`[s${rendition.size}]${scaleFilter(video, rendition)}[v${rendition.size}]`)
      outputs.push(...videoOutput(rendition, video.frameRate, preset))
    }
    if (storyboard) {
      filters.push(`[story]${storyboardFilter(storyboard)}[tiles]`)
      outputs.push(
        '-map',
        '[tiles]',
        '-frames:v',
        '1',
        '-c:v',
        'mjpeg',
        '-q:v',
        '3',
        '-f',
        'image2',
        '-update',
        '1',
        'storyboard.jpg',
      )
    }
  }
  if (audio && gainDb !== null) {
    filters.push(`[0:${audio.index}]${loudnessFilter(gainDb)}[sound]`)
    outputs.push('-map', '[sound]', '-c:a', 'aac', '-b:a', String(AUDIO_BPS), '-ar', '48000', ...hlsOutput('sound'))
  }
  return [...BASE_ARGS, ...PROGRESS_ARGS, ...inputArgs(source.path), '-filter_complex', filters.join(';'), ...outputs]
}

// Both runs count frames from the beginning of the file, which aligns their segments.
function frameRateFilter({ frameRate, isInterlaced }: VideoStream): string {
  return `${isInterlaced ? 'yadif=deint=interlaced,' : ''}fps=fps=${frameRate.num}/${frameRate.den}:start_time=0`
}

function scaleFilter({ width, height, needsNoConversion }: VideoStream, rendition: RenditionSize): string {
  if (needsNoConversion && width === rendition.width && height === rendition.height) return 'setsar=1'
  return `scale=${rendition.width}:${rendition.height}:out_range=tv,setsar=1,format=yuv420p`
}

/** Maximum size in bytes of these resolutions and the audio for a duration in seconds. */
export function maxEncodedBytes(renditions: readonly Pick<RenditionSize, 'size'>[], seconds: number): number {
  return (renditions.reduce((sum, rendition) => sum + maxBitrateOf(rendition), AUDIO_BPS) * seconds) / 8
}

const maxBitrateOf = ({ size }: Pick<RenditionSize, 'size'>): number =>
  MAX_BITRATES.find(([most]) => size <= most)?.[1] ?? 5_000_000

function videoOutput({ size }: RenditionSize, rate: VideoStream['frameRate'], preset: string): string[] {
  const bits = maxBitrateOf({ size })
  return [
    '-map',
    `[v${size}]`,
    '-c:v',
    'libx264',
    '-preset',
    preset,
    '-profile:v',
    'high',
    '-crf',
    '23',
    '-threads',
    THREAD_COUNT,
    '-maxrate',
    String(bits),
    '-bufsize',
    String(bits * 2),
    '-sc_threshold',
    '0',
    '-force_key_frames',
    `expr:gte(t,n_forced*${SEGMENT_SECONDS})`,
    '-g',
    String(Math.ceil((2 * SEGMENT_SECONDS * rate.num) / rate.den)),
    ...hlsOutput(String(size)),
  ]
}

function hlsOutput(folder: string): string[] {
  return [
    '-map_metadata',
    '-1',
    '-map_chapters',
    '-1',
    '-f',
    'hls',
    '-hls_time',
    String(SEGMENT_SECONDS),
    '-hls_playlist_type',
    'vod',
    '-hls_segment_type',
    'fmp4',
    '-hls_flags',
    'independent_segments',
    '-hls_fmp4_init_filename',
    'init.mp4',
    '-hls_segment_filename',
    `${folder}/%03d.m4s`,
    `${folder}/index.m3u8`,
  ]
}

// Adds silence where the audio starts later or has gaps, so that it remains synchronized with the video.
function loudnessFilter(gain: number): string {
  const limit = 'alimiter=limit=0.84:attack=5:release=50:level=false'
  return `aresample=48000:async=1:first_pts=0,aformat=sample_fmts=fltp:channel_layouts=stereo,volume=${gain.toFixed(2)}dB,${limit}`
}

const roundToEven = (side: number): number => Math.max(2, Math.round(side / 2) * 2)
