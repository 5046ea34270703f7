import { config } from '../config/config.ts'
import { findEncoder } from './encoder.ts'
import { BASE_ARGS, inputArgs, THREAD_COUNT } from './ffmpeg-args.ts'
import { MediaError, runMediaTask } from './media-task.ts'

/** Time limit in seconds: for each second of the result, and the minimum. */
const TIME_LIMIT_SECONDS = { each: 20, least: 120 }

/**
 * Writes the part of a video between two times (seconds) as an MP4. It is re-encoded: a stream copy would have to start
 * at a keyframe and keep content that was to be cut. Throws MediaError, `stopped` without ffmpeg.
 */
export async function trimVideo(
  source: string,
  { from, to }: { from: number; to: number },
  outputPath: string,
  { folder, signal }: { folder: string; signal: AbortSignal },
): Promise<void> {
  const encoder = await findEncoder()
  if (!encoder) throw new MediaError('stopped', 'there is no ffmpeg')
  const seconds = to - from
  const args = [
    ...BASE_ARGS,
    '-ss',
    from.toFixed(3),
    ...inputArgs(source),
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
    THREAD_COUNT,
    '-c:a',
    'aac',
    '-b:a',
    '128k',
    '-movflags',
    '+faststart',
    '-f',
    'mp4',
    `file:${outputPath}`,
  ]
  await runMediaTask(encoder, {
    program: 'ffmpeg',
    args,
    folder,
    signal,
    timeoutSeconds: TIME_LIMIT_SECONDS.least + seconds * TIME_LIMIT_SECONDS.each,
  })
}
