import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { store } from '../files/files.ts'
import { type Encoder, findEncoder } from './encoder.ts'
import { BASE_ARGS, inputArgs } from './ffmpeg-args.ts'
import { MediaError, runMediaTask } from './media-task.ts'
import { probeMedia } from './probe.ts'
import { withTemporaryFolder } from './temporary-folder.ts'
import { MAX_AUDIO_BYTES } from './transcription.ts'

/** Chunk length in seconds: 4 MB of speech, transcribed well within a connection timeout. */
const CHUNK_SECONDS = 600

/** Types that a speech service accepts without conversion. */
const ACCEPTED_TYPES: Record<string, string> = {
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

export interface AudioChunk {
  path: string
  /** File name with the extension of its type. */
  name: string
  /** Start and end in the whole file. */
  startSeconds: number
  endSeconds: number
}

/** The audio has to be split, but there is no ffmpeg. */
export class EncoderMissingError extends Error {}

/**
 * Splits the audio of a stored file into chunks for a speech service: mono, 16 kHz, ten minutes each; without ffmpeg it
 * passes the file itself when its size and type are accepted. Throws MediaError (`nothing_inside` without audio) and
 * EncoderMissingError.
 */
export function withAudioChunks<T>(
  video: { key: string; mime: string; size: number },
  signal: AbortSignal,
  use: (chunks: AudioChunk[]) => Promise<T>,
): Promise<T> {
  return withTemporaryFolder(async (folder) => {
    const localCopy = await store.openLocalCopy(video.key, folder)
    if (!localCopy) throw new MediaError('nothing_inside', 'the file is gone')
    try {
      const encoder = await findEncoder()
      return await use(
        encoder
          ? await splitAudio(encoder, localCopy.path, folder, signal)
          : createWholeFileChunk(localCopy.path, video),
      )
    } finally {
      await localCopy.done()
    }
  })
}

async function splitAudio(
  encoder: Encoder,
  source: string,
  folder: string,
  signal: AbortSignal,
): Promise<AudioChunk[]> {
  const { audio, seconds } = await probeMedia(encoder, source, { folder, signal })
  if (!audio) throw new MediaError('nothing_inside', 'no sound')
  const args = [
    ...BASE_ARGS,
    ...inputArgs(source),
    '-map',
    `0:${audio.index}`,
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
    String(CHUNK_SECONDS),
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
  await runMediaTask(encoder, { program: 'ffmpeg', args, folder, timeoutSeconds: 120 + seconds, signal })
  const list = await readFile(path.join(folder, 'pieces.csv'), 'utf8')
  return list
    .trim()
    .split('\n')
    .map((line) => line.split(','))
    .map(([name = '', start, end]) => ({
      path: path.join(folder, name),
      name,
      startSeconds: Number(start),
      endSeconds: Number(end),
    }))
}

function createWholeFileChunk(source: string, { mime, size }: { mime: string; size: number }): AudioChunk[] {
  const ending = ACCEPTED_TYPES[mime]
  if (!ending || size > MAX_AUDIO_BYTES) throw new EncoderMissingError()
  return [{ path: source, name: `sound.${ending}`, startSeconds: 0, endSeconds: Number.POSITIVE_INFINITY }]
}
