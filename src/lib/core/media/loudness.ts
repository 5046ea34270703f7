import type { Encoder } from './encoder.ts'
import { inputOf } from './guard.ts'
import type { Source } from './probe.ts'
import { run } from './run.ts'

/** LUFS: what streaming services and browsers' players are used to (AES TD1008). */
export const LOUDNESS = -16
/** Noise must not become a storm. */
const MOST_GAIN = 20

/**
 * Decibels that bring the sound to LOUDNESS, measured over the whole by EBU R 128. Measuring and one steady gain costs a
 * third of ffmpeg's loudnorm, which works at 192 kHz, and does not pump. 0 for silence.
 */
export async function measureGain(
  encoder: Encoder,
  { path, sound, seconds }: Source,
  where: { folder: string; signal: AbortSignal },
): Promise<number> {
  if (!sound) return 0
  const args = [
    '-hide_banner',
    '-nostdin',
    '-nostats',
    '-v',
    'info',
    ...inputOf(path, '-vn', '-sn', '-dn'),
    '-map',
    `0:${sound.index}`,
    '-af',
    'aformat=sample_rates=48000:channel_layouts=stereo,ebur128=framelog=verbose',
    '-f',
    'null',
    '-',
  ]
  const { said } = await run(encoder, { program: 'ffmpeg', args, seconds: 120 + seconds, ...where })
  const measured = Number([...said.matchAll(/^[ \t]+I:[ \t]+(-?[\d.]+) LUFS/gm)].at(-1)?.[1] ?? Number.NaN)
  if (!(measured > -69)) return 0
  return Math.min(MOST_GAIN, LOUDNESS - measured)
}
