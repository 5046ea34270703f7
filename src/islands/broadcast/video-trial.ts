import { type Downlink, type DownlinkOptions, openDownlink } from './downlink.ts'
import type { NetSample } from './network-sample.ts'

/** Timeout of a trial in ms. */
const TRIAL_TIMEOUT_MS = 15_000

/** Whether the samples are good; null while it is too early to decide. */
export type AssessSamples = (samples: readonly NetSample[]) => boolean | null

export interface VideoTrial {
  link: Downlink
  stream: MediaStream
}

/**
 * Plays a stream with video in the background until `assessSamples` decides. After a positive result returns the
 * stream, to be shown and closed by the caller; otherwise null. Afterwards passes events to `onLost` and `onSample`.
 */
export async function tryVideoDownlink(
  { onLost, onSample, ...way }: Omit<DownlinkOptions, 'withVideo' | 'onStream'>,
  assess: AssessSamples,
): Promise<VideoTrial | null> {
  const samples: NetSample[] = []
  let stream: MediaStream | null = null
  let over = false
  let settle = (_: boolean): void => {}
  const verdict = new Promise<boolean>((resolve) => {
    settle = resolve
  })
  const late = setTimeout(() => settle(false), TRIAL_TIMEOUT_MS)
  const link = await openDownlink({
    ...way,
    withVideo: true,
    onStream: (received) => {
      stream = received
    },
    onLost: (wasConnected) => (over ? onLost(wasConnected) : settle(false)),
    onSample: (sample, flows) => {
      if (over) return onSample?.(sample, flows)
      // Samples of the connection setup are not assessed.
      if (flows || samples.length > 0) samples.push(sample)
      const enough = assess(samples)
      if (enough !== null) settle(enough)
    },
  }).catch(() => null)
  const enough = link !== null && (await verdict)
  over = true
  clearTimeout(late)
  if (link && stream && enough) return { link, stream }
  link?.close()
  return null
}
