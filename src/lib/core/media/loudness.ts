import type { Encoder } from './encoder.ts'
import { inputArgs } from './ffmpeg-args.ts'
import { runMediaTask } from './media-task.ts'
import type { MediaSource } from './probe.ts'

/** LUFS: what streaming services and browsers' players are used to (AES TD1008). */
const TARGET_LUFS = -16
/** Noise must not become a storm. */
const MAX_GAIN_DB = 20

/**
 * Decibels that bring the sound to LOUDNESS, measured over the whole by EBU R 128. Measuring and one steady gain costs a
 * third of ffmpeg's loudnorm, which works at 192 kHz, and does not pump. 0 for silence.
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
