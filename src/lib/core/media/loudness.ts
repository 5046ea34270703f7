import type { Encoder } from './encoder.ts'
import { inputArgs } from './ffmpeg-args.ts'
import { runMediaTask } from './media-task.ts'
import type { MediaSource } from './probe.ts'

/** Target loudness in LUFS, that of streaming services (AES TD1008). */
const TARGET_LUFS = -16
/** Limits the amplification of background noise. */
const MAX_GAIN_DB = 20

/**
 * The gain in decibels that brings the audio to TARGET_LUFS, measured over the whole file by EBU R 128. Measuring and a
 * constant gain take a third of the time of ffmpeg's loudnorm, which works at 192 kHz, and do not pump. 0 for silence.
 */
export async function measureGain(
  encoder: Encoder,
  { path, audio, seconds }: MediaSource,
  where: { folder: string; signal: AbortSignal },
): Promise<number> {
  if (!audio) return 0
  const args = [
    '-hide_banner',
    '-nostdin',
    '-nostats',
    '-v',
    'info',
    ...inputArgs(path, '-vn', '-sn', '-dn'),
    '-map',
    `0:${audio.index}`,
    '-af',
    'aformat=sample_rates=48000:channel_layouts=stereo,ebur128=framelog=verbose',
    '-f',
    'null',
    '-',
  ]
  const { stderr } = await runMediaTask(encoder, { program: 'ffmpeg', args, timeoutSeconds: 120 + seconds, ...where })
  const measured = Number([...stderr.matchAll(/^[ \t]+I:[ \t]+(-?[\d.]+) LUFS/gm)].at(-1)?.[1] ?? Number.NaN)
  if (!(measured > -69)) return 0
  return Math.min(MAX_GAIN_DB, TARGET_LUFS - measured)
}
