import { createDepacketizer, type VideoFormat } from './depacketizer.ts'
import { createJitterBuffer, parseRtpPacket } from './jitter-buffer.ts'
import { createMediaClock } from './media-clock.ts'
import type { MediaKind, PacketSource } from './packet-source.ts'

/** A frame of a publisher, in the order of its track. */
export interface Frame {
  kind: MediaKind
  /** Capture time in ms since 1970 by the clock of this machine; increases within a track. */
  capturedAt: number
  /** Always true for audio. */
  isKey: boolean
  data: Buffer
  /** Video keyframes only. */
  format?: VideoFormat
}

/** Assembles the packets of a publisher into frames. Returns a function that stops it. */
export function readFrames(source: PacketSource, onFrame: (frame: Frame) => void): () => void {
  const clock = createMediaClock()
  let clockReadAt = 0
  const jitterBuffers = {
    audio: createJitterBuffer(({ timestamp, payload, arrivedAt }) =>
      onFrame({
        kind: 'audio',
        capturedAt: clock.timestampFrame('audio', timestamp, arrivedAt),
        isKey: true,
        data: payload,
      }),
    ),
    video: source.codec ? createJitterBuffer(createVideoReader(source.codec)) : null,
  }

  function createVideoReader(codec: NonNullable<PacketSource['codec']>) {
    return createDepacketizer(
      codec,
      ({ timestamp, arrivedAt, ...frame }) =>
        onFrame({ kind: 'video', capturedAt: clock.timestampFrame('video', timestamp, arrivedAt), ...frame }),
      () => source.requestKeyframe(),
    )
  }

  return source.onPacket((kind, bytes) => {
    const now = Date.now()
    if (now - clockReadAt > CLOCK_INTERVAL_MS) readSenderClock(now)
    const packet = parseRtpPacket(bytes, now)
    if (packet) jitterBuffers[kind]?.push(packet)
  })

  function readSenderClock(now: number): void {
    clockReadAt = now
    for (const kind of source.kinds) {
      const rtpTime = source.rtpTimeAt?.(kind, now) ?? null
      if (rtpTime !== null) clock.recordSenderReport(kind, { ntpMs: now, rtpTime })
    }
  }
}

const CLOCK_INTERVAL_MS = 1000
