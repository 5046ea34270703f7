import { stat } from 'node:fs/promises'
import { z } from 'zod'
import type { Encoder } from './encoder.ts'
import { GUARD, inputOf, MOST_PIXELS, PROGRESS, QUIET } from './guard.ts'
import { isSegmentCut } from './matroska-segment.ts'
import { MediaError, run } from './run.ts'

/** Seconds of a file at most. */
export const MOST_SECONDS = 6 * 3600
const MOST_STREAMS = 64
const LONGEST_SIDE = 8192

export interface Picture {
  /** Of the stream in the file. */
  index: number
  /** As shown: turned, and with square pixels. */
  width: number
  height: number
  /** Frames a second of what is made of it, as a fraction. */
  rate: { num: number; den: number }
  interlaced: boolean
  /** Its pixels are square and of the kind that encoders take: at its own size it needs no conversion. */
  plain: boolean
}

/** What of a file is worth encoding. At least one of picture and sound is there. */
export interface Source {
  path: string
  /** Of a truncated file: as far as it can be read. */
  seconds: number
  /** The end of the file is missing. Known of Matroska and WebM, which can be read up to any byte. */
  truncated: boolean
  picture: Picture | null
  sound: { index: number } | null
  /** Index of a cover of an album. */
  cover: number | null
}

interface Where {
  folder: string
  signal: AbortSignal
}

/** Looks into a file. Throws MediaError: empty, damaged, nothing_inside, too_long, too_heavy. */
export async function probe(encoder: Encoder, path: string, where: Where): Promise<Source> {
  if ((await stat(path)).size === 0) throw new MediaError('empty')
  const args = ['-v', 'error', ...GUARD, '-of', 'json', '-show_entries', ENTRIES, '-i', `file:${path}`]
  const { out } = await run(encoder, { program: 'ffprobe', args, seconds: 60, ...where }).catch((error: unknown) => {
    // The prober only reads: whatever it dislikes lies in the file, unless it was killed.
    if (error instanceof MediaError && error.fault === 'crashed' && error.lastWords) {
      throw new MediaError('damaged', error.lastWords)
    }
    throw error
  })
  const found = Found.safeParse(JSON.parse(out || '{}'))
  if (!found.success) throw new MediaError('damaged', 'no format that is known')
  const { streams, format } = found.data
  if (streams.length > MOST_STREAMS) throw new MediaError('too_heavy', `${streams.length} streams`)
  const source = { path, ...pick(streams) }
  if (!source.picture && !source.sound) throw new MediaError('nothing_inside')
  const told = GUESSING.test(format.format_name) ? Number.NaN : Number(format.duration ?? Number.NaN)
  const { seconds, truncated } = await lengthOf(encoder, path, { ...where, told, format: format.format_name })
  if (seconds > MOST_SECONDS) throw new MediaError('too_long', `${Math.round(seconds)} s`)
  if (!(seconds > 0)) throw new MediaError('damaged', 'it has no length')
  if (truncated && seconds < LEAST_READABLE) throw new MediaError('damaged', 'its end is missing')
  return { ...source, seconds, truncated }
}

/** Seconds that must be readable of a truncated file. */
const LEAST_READABLE = 1

/** Containers without a length of their own: ffprobe guesses it by the first frame's bitrate. */
const GUESSING = /^(mp3|aac|ac3|eac3|amr|h264|hevc|m4v|mpegvideo)$/

const ENTRIES = [
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
const Found = z.object({
  streams: z.array(Stream),
  format: z.object({ format_name: z.string(), duration: z.string().optional() }),
})

function pick(streams: Stream[]): Pick<Source, 'picture' | 'sound' | 'cover'> {
  const pictures = streams.filter(({ codec_type, codec_name }) => codec_type === 'video' && codec_name)
  const isCover = ({ disposition }: Stream) => Boolean(disposition.attached_pic || disposition.timed_thumbnails)
  const moving = best(pictures.filter((stream) => !isCover(stream) && stream.width > 0 && stream.height > 0))
  const sound = best(
    streams.filter(({ codec_type, codec_name, channels }) => codec_type === 'audio' && codec_name && channels > 0),
  )
  return {
    picture: moving ? pictureOf(moving) : null,
    sound: sound ? { index: sound.index } : null,
    cover: pictures.find(isCover)?.index ?? null,
  }
}

const best = (streams: Stream[]): Stream | undefined =>
  streams.find(({ disposition }) => disposition.default) ?? streams[0]

function pictureOf(stream: Stream): Picture {
  const [across = 1, down = 1] = stream.sample_aspect_ratio.split(':').map(Number)
  const wide = across > 0 && down > 0 ? Math.max(1, Math.round((stream.width * across) / down)) : stream.width
  const turned = stream.side_data_list.some(({ rotation }) => Math.abs(rotation) % 180 === 90)
  if (Math.max(wide, stream.width, stream.height) > LONGEST_SIDE || stream.width * stream.height > MOST_PIXELS) {
    throw new MediaError('too_heavy', `${stream.width}×${stream.height}`)
  }
  return {
    index: stream.index,
    width: turned ? stream.height : wide,
    height: turned ? wide : stream.height,
    rate: rateOf(fraction(stream.avg_frame_rate), fraction(stream.r_frame_rate)),
    plain: stream.pix_fmt === 'yuv420p' && wide === stream.width,
    interlaced: /^(tt|bb|tb|bt)$/.test(stream.field_order),
  }
}

/**
 * A steady rate for what may have none: the average where it is the nominal one, at least the nominal one up to 30
 * where frames come irregularly; above 32 every second (third ...) frame is left out.
 */
function rateOf(average: number, nominal: number): { num: number; den: number } {
  const steady = Math.abs(average - nominal) < nominal * 0.02
  const wanted = steady ? nominal : Math.max(average, Math.min(nominal || 30, 30))
  const rate = Math.max(1, wanted > 0 && wanted < 1000 ? wanted : 30)
  const shown = rate > 32 ? rate / Math.ceil(rate / 30 - 0.01) : rate
  const film = [24, 30].find((round) => Math.abs(shown - round / 1.001) < 0.005)
  return film ? { num: film * 1000, den: 1001 } : { num: Math.round(shown * 1000), den: 1000 }
}

function fraction(text: string): number {
  const [num = 0, den = 0] = text.split('/').map(Number)
  return den > 0 ? num / den : 0
}

interface Told extends Where {
  /** Seconds, or NaN. */
  told: number
  format: string
}

// Recordings of a browser do not say how long they are either: only reading to the end tells.
async function lengthOf(
  encoder: Encoder,
  path: string,
  { told, format, ...where }: Told,
): Promise<Pick<Source, 'seconds' | 'truncated'>> {
  const matroska = format === 'matroska,webm'
  const cut = matroska && (await isSegmentCut(path))
  if (told > 0 && !cut) return { seconds: told, truncated: false }
  const { seconds, ended } = await measure(encoder, path, where)
  // Behind the last frame stand only tables.
  if (told > 0 && seconds > told - 1) return { seconds: told, truncated: false }
  return { seconds, truncated: matroska && (cut || !ended) }
}

async function measure(encoder: Encoder, path: string, where: Where): Promise<{ seconds: number; ended: boolean }> {
  let seconds = 0
  const args = [
    ...QUIET,
    ...PROGRESS,
    ...inputOf(path),
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
  const { said } = await run(encoder, { program: 'ffmpeg', args, seconds: 600, onProgress, ...where })
  return { seconds, ended: !/File ended prematurely/.test(said) }
}
