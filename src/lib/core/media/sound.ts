import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { store } from '../files/files.ts'
import { type Encoder, findEncoder } from './encoder.ts'
import { inputOf, QUIET } from './guard.ts'
import { probe } from './probe.ts'
import { MediaError, run } from './run.ts'
import { withScratch } from './scratch.ts'
import { SOUND_LIMIT } from './speech.ts'

/** Seconds of one piece: 4 MB of speech, and no recogniser works on it for longer than a connection lasts. */
const PIECE = 600

/** What a speech service takes as it is. */
const TAKEN: Record<string, string> = {
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/x-m4a': 'm4a',
  'audio/wav': 'wav',
  'audio/webm': 'webm',
  'audio/ogg': 'ogg',
  'audio/flac': 'flac',
  'audio/x-flac': 'flac',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
}

export interface SoundPiece {
  path: string
  /** With the ending that says what it is. */
  name: string
  /** Seconds of the whole at which it begins and ends. */
  from: number
  to: number
}

/** Thrown where a sound must be cut and there is no ffmpeg. */
export class NoEncoder extends Error {}

/**
 * Lends the sound of a stored film in pieces that a speech service takes: one channel, 16 kHz, ten minutes each; without
 * ffmpeg the film itself, when it is small and of a known kind. Throws MediaError, also (`nothing_inside`) where there is
 * no sound, and NoEncoder.
 */
export function withSound<T>(
  film: { key: string; mime: string; size: number },
  signal: AbortSignal,
  use: (pieces: SoundPiece[]) => Promise<T>,
): Promise<T> {
  return withScratch(async (folder) => {
    const lent = await store.lend(film.key, folder)
    if (!lent) throw new MediaError('nothing_inside', 'the file is gone')
    try {
      const encoder = await findEncoder()
      return await use(encoder ? await cut(encoder, lent.path, folder, signal) : whole(lent.path, film))
    } finally {
      await lent.done()
    }
  })
}

async function cut(encoder: Encoder, source: string, folder: string, signal: AbortSignal): Promise<SoundPiece[]> {
  const { sound, seconds } = await probe(encoder, source, { folder, signal })
  if (!sound) throw new MediaError('nothing_inside', 'no sound')
  const args = [
    ...QUIET,
    ...inputOf(source),
    '-map',
    `0:${sound.index}`,
    '-ac',
    '1',
    '-ar',
    '16000',
    '-c:a',
    'aac',
    '-b:a',
    '48k',
    '-f',
    'segment',
    '-segment_time',
    String(PIECE),
    '-segment_format',
    'mp4',
    '-reset_timestamps',
    '1',
    '-segment_list',
    'pieces.csv',
    '-segment_list_type',
    'csv',
    '%03d.m4a',
  ]
  await run(encoder, { program: 'ffmpeg', args, folder, seconds: 120 + seconds, signal })
  const list = await readFile(path.join(folder, 'pieces.csv'), 'utf8')
  return list
    .trim()
    .split('\n')
    .map((line) => line.split(','))
    .map(([name = '', from, to]) => ({ path: path.join(folder, name), name, from: Number(from), to: Number(to) }))
}

function whole(source: string, { mime, size }: { mime: string; size: number }): SoundPiece[] {
  const ending = TAKEN[mime]
  if (!ending || size > SOUND_LIMIT) throw new NoEncoder()
  return [{ path: source, name: `sound.${ending}`, from: 0, to: Number.POSITIVE_INFINITY }]
}
