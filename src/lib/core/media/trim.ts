import { config } from '../config/config.ts'
import { findEncoder } from './encoder.ts'
import { inputOf, QUIET, THREADS } from './guard.ts'
import { MediaError, run } from './run.ts'

/** Seconds of work for each second of the result, and at least. */
const PATIENCE = { each: 20, least: 120 }

/**
 * Writes the part of a film between two moments (seconds) as an MP4 of its own. It is encoded anew: a copy would have to
 * begin with a key frame, and carry along what was to be cut off. Throws MediaError, `stopped` without ffmpeg.
 */
export async function trimFilm(
  source: string,
  { from, to }: { from: number; to: number },
  out: string,
  { folder, signal }: { folder: string; signal: AbortSignal },
): Promise<void> {
  const encoder = await findEncoder()
  if (!encoder) throw new MediaError('stopped', 'there is no ffmpeg')
  const seconds = to - from
  const args = [
    ...QUIET,
    '-ss',
    from.toFixed(3),
    ...inputOf(source),
    '-t',
    seconds.toFixed(3),
    '-map',
    '0:v:0',
    '-map',
    '0:a:0?',
    '-c:v',
    'libx264',
    '-preset',
    config.encodePreset,
    '-crf',
    '21',
    '-pix_fmt',
    'yuv420p',
    '-threads',
    THREADS,
    '-c:a',
    'aac',
    '-b:a',
    '128k',
    '-movflags',
    '+faststart',
    '-f',
    'mp4',
    `file:${out}`,
  ]
  await run(encoder, { program: 'ffmpeg', args, folder, signal, seconds: PATIENCE.least + seconds * PATIENCE.each })
}
