import { type Downlink, type DownlinkParts, openDownlink } from './downlink.ts'
import type { NetSample } from './sample.ts'

/** Ms that a try may last, from its first word to its last second. */
const LASTS = 15_000

/** Whether these seconds were good; null while it is too early to say. */
export type Judge = (samples: readonly NetSample[]) => boolean | null

export interface Tried {
  link: Downlink
  stream: MediaStream
}

/**
 * Plays a whole stream unseen until `judge` has seen enough of it. Gives it, to be shown and closed by the caller, if it
 * was good; otherwise null. From then on `gone` and `sampled` are told.
 */
export async function tryDownlink(
  { gone, sampled, ...way }: Omit<DownlinkParts, 'picture' | 'up'>,
  judge: Judge,
): Promise<Tried | null> {
  const samples: NetSample[] = []
  let stream: MediaStream | null = null
  let over = false
  let settle = (_: boolean): void => {}
  const verdict = new Promise<boolean>((resolve) => {
    settle = resolve
  })
  const late = setTimeout(() => settle(false), LASTS)
  const link = await openDownlink({
    ...way,
    picture: true,
    up: (come) => {
      stream = come
    },
    gone: (stood) => (over ? gone(stood) : settle(false)),
    sampled: (sample, flows) => {
      if (over) return sampled?.(sample, flows)
      // The handshake is no part of what is judged.
      if (flows || samples.length > 0) samples.push(sample)
      const enough = judge(samples)
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
