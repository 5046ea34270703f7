import { inputOf, PROGRESS, QUIET, THREADS } from './guard.ts'
import type { Picture, Source } from './probe.ts'
import type { Storyboard } from './storyboard.ts'
import { storyboardFilter } from './storyboard.ts'

/** Seconds of a segment; a keyframe stands at each of its multiples in all resolutions. */
export const SEGMENT = 4

/** What people call 360p: the shorter side decides, so that a video of a phone held upright is as sharp. */
export interface Rung {
  /** Also the name of its folder. */
  size: number
  width: number
  height: number
}

const SOUND_BITS = 128_000
const SIZES = [360, 720, 1080]
/** Bits a second at most, by the shorter side. */
const RATES: readonly [size: number, bits: number][] = [
  [360, 900_000],
  [720, 2_800_000],
  [1080, 5_000_000],
]

/** Resolutions of a picture, the lowest first; none is larger than the picture itself. */
export function rungsOf({ width, height }: Pick<Picture, 'width' | 'height'>): Rung[] {
  const short = Math.min(width, height)
  const sizes = SIZES.filter((size) => size <= short)
  return (sizes.length > 0 ? sizes : [short]).map((size) => ({
    size,
    width: even((width * size) / short),
    height: even((height * size) / short),
  }))
}

export interface Making {
  source: Source
  rungs: readonly Rung[]
  /** Decibels to add to the sound; null when it is not made in this run. */
  gain: number | null
  storyboard: Storyboard | null
  preset: string
}

/**
 * Arguments of one ffmpeg run that makes these resolutions as fMP4 HLS (RFC 8216 with EXT-X-MAP) in `<size>/`, the sound
 * in `sound/` and the storyboard in `storyboard.jpg`, decoding once. The folders must be there.
 */
export function ladderArgs({ source, rungs, gain, storyboard, preset }: Making): string[] {
  const { picture, sound } = source
  const filters: string[] = []
  const outputs: string[] = []
  if (picture && (rungs.length > 0 || storyboard)) {
    const ends = [...rungs.map(({ size }) => `s${size}`), ...(storyboard ? ['story'] : [])]
    filters.push(`[0:${picture.index}]${steady(picture)},split=${ends.length}${ends.map((end) => `[${end}]`).join('')}`)
    for (const rung of rungs) {
      filters.push(`[s${rung.size}]${fitted(picture, rung)}[v${rung.size}]`)
      outputs.push(...pictureOutput(rung, picture.rate, preset))
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
  if (sound && gain !== null) {
    filters.push(`[0:${sound.index}]${level(gain)}[sound]`)
    outputs.push('-map', '[sound]', '-c:a', 'aac', '-b:a', String(SOUND_BITS), '-ar', '48000', ...hls('sound'))
  }
  return [...QUIET, ...PROGRESS, ...inputOf(source.path), '-filter_complex', filters.join(';'), ...outputs]
}

// Both runs count frames alike from the file's beginning: that is what aligns their segments.
function steady({ rate, interlaced }: Picture): string {
  return `${interlaced ? 'yadif=deint=interlaced,' : ''}fps=fps=${rate.num}/${rate.den}:start_time=0`
}

function fitted({ width, height, plain }: Picture, rung: Rung): string {
  if (plain && width === rung.width && height === rung.height) return 'setsar=1'
  return `scale=${rung.width}:${rung.height}:out_range=tv,setsar=1,format=yuv420p`
}

/** Bytes that these resolutions and the sound of so many seconds take at most. */
export function mostBytes(rungs: readonly Pick<Rung, 'size'>[], seconds: number): number {
  return (rungs.reduce((sum, rung) => sum + bitsOf(rung), SOUND_BITS) * seconds) / 8
}

const bitsOf = ({ size }: Pick<Rung, 'size'>): number => RATES.find(([most]) => size <= most)?.[1] ?? 5_000_000

function pictureOutput({ size }: Rung, rate: Picture['rate'], preset: string): string[] {
  const bits = bitsOf({ size })
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
    THREADS,
    '-maxrate',
    String(bits),
    '-bufsize',
    String(bits * 2),
    '-sc_threshold',
    '0',
    '-force_key_frames',
    `expr:gte(t,n_forced*${SEGMENT})`,
    '-g',
    String(Math.ceil((2 * SEGMENT * rate.num) / rate.den)),
    ...hls(String(size)),
  ]
}

function hls(folder: string): string[] {
  return [
    '-map_metadata',
    '-1',
    '-map_chapters',
    '-1',
    '-f',
    'hls',
    '-hls_time',
    String(SEGMENT),
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

// Silence where the sound begins later or has holes, so that it stays with the picture.
function level(gain: number): string {
  const limit = 'alimiter=limit=0.84:attack=5:release=50:level=false'
  return `aresample=48000:async=1:first_pts=0,aformat=sample_fmts=fltp:channel_layouts=stereo,volume=${gain.toFixed(2)}dB,${limit}`
}

const even = (side: number): number => Math.max(2, Math.round(side / 2) * 2)
