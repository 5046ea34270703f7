/** Network statistics of one second of playback. */
export interface NetSample {
  /** Ms since 1970. */
  measuredAt: number
  /** Received bits per second. */
  bitsPerSecond: number
  /** Share of lost packets, 0 to 1. */
  lossShare: number
  /** Seconds for which the video was frozen. */
  frozenSeconds: number
  /** Available bits per second, where the browser reports them. */
  availableBps: number | null
  /** The sample was taken much too late: the processor is busy, and says nothing about the network. */
  isLate: boolean
}

/** Samples are due each second. */
const LATE_SECONDS = 1.6

/** Whether a sample that follows another one after this time was taken much too late. */
export const isLateAfter = (seconds: number): boolean => seconds > LATE_SECONDS

/** Cumulative counters of a connection. */
export interface Counters {
  at: number
  /** Bytes of the transport with RTCP reports, which stop only when the connection is lost; otherwise of media. */
  transport: number
  media: number
  packets: number
  lost: number
  frozen: number
  frames: number
  available: number | null
}

/** Reads the counters of a playing connection. */
export function readCounters(report: RTCStatsReport, at = Date.now()): Counters {
  const sum: Counters = { at, transport: 0, media: 0, packets: 0, lost: 0, frozen: 0, frames: 0, available: null }
  let transportBytes: number | null = null
  let pairs: number | null = null
  for (const stats of report.values()) {
    if (stats.type === 'transport' && stats.bytesReceived !== undefined)
      transportBytes = (transportBytes ?? 0) + stats.bytesReceived
    if (
      stats.type === 'candidate-pair' &&
      (stats.nominated || stats.state === 'succeeded') &&
      stats.bytesReceived !== undefined
    )
      pairs = (pairs ?? 0) + stats.bytesReceived
    if (stats.type === 'candidate-pair' && stats.nominated)
      sum.available = stats.availableIncomingBitrate ?? sum.available
    if (stats.type !== 'inbound-rtp') continue
    sum.media += stats.bytesReceived ?? 0
    sum.packets += stats.packetsReceived ?? 0
    sum.lost += stats.packetsLost ?? 0
    sum.frozen += stats.totalFreezesDuration ?? 0
    sum.frames += stats.framesDecoded ?? 0
  }
  // Firefox has no byte counters of transports before version 154.
  return { ...sum, transport: transportBytes ?? pairs ?? sum.media }
}

/** The statistics between two readings. */
export function sampleBetween(before: Counters, now: Counters): NetSample {
  const seconds = Math.max(0.001, (now.at - before.at) / 1000)
  const lost = Math.max(0, now.lost - before.lost)
  const receivedPackets = Math.max(0, now.packets - before.packets)
  return {
    measuredAt: now.at,
    bitsPerSecond: (Math.max(0, now.media - before.media) * 8) / seconds,
    lossShare: lost + receivedPackets === 0 ? 0 : lost / (lost + receivedPackets),
    frozenSeconds: Math.max(0, now.frozen - before.frozen),
    availableBps: now.available,
    isLate: isLateAfter(seconds),
  }
}
