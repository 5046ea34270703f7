import { createClock } from './clock.ts'
import { createFrames, type Shape } from './frame.ts'
import { createOrder, readRtp } from './packet-order.ts'
import type { Kind, Tapped } from './tapped.ts'

/** A frame of a publisher, in the order of its track. */
export interface Frame {
  kind: Kind
  /** When it was made, in ms of this machine's clock since 1970; grows within a kind. */
  at: number
  /** Sound is always a beginning. */
  key: boolean
  data: Buffer
  /** Of a key frame of a picture. */
  shape?: Shape
}

/** Listens to a publisher and makes whole frames of its packets. Gives the way to stop. */
export function tap(tapped: Tapped, give: (frame: Frame) => void): () => void {
  const clock = createClock()
  let learned = 0
  const orders = {
    audio: createOrder(({ time, payload, at }) =>
      give({ kind: 'audio', at: clock.stamp('audio', time, at), key: true, data: payload }),
    ),
    video: tapped.codec ? createOrder(pictures(tapped.codec)) : null,
  }

  function pictures(codec: NonNullable<Tapped['codec']>) {
    return createFrames(
      codec,
      ({ time, arrived, ...picture }) => give({ kind: 'video', at: clock.stamp('video', time, arrived), ...picture }),
      () => tapped.requestKeyframe(),
    )
  }

  return tapped.onPacket((kind, bytes) => {
    const now = Date.now()
    if (now - learned > LEARN_EVERY) learn(now)
    const packet = readRtp(bytes, now)
    if (packet) orders[kind]?.push(packet)
  })

  function learn(now: number): void {
    learned = now
    for (const kind of tapped.kinds) {
      const time = tapped.timeAt?.(kind, now) ?? null
      if (time !== null) clock.report(kind, { milliseconds: now, time })
    }
  }
}

const LEARN_EVERY = 1000
