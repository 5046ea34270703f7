import { type ReportBlock, type SenderClock, sequenceDistance, sequenceOf, timestampOf } from './rtp.ts'

/** Statistics of one RTP source for receiver reports (RFC 3550, 6.4.1 and A.8). */
export interface ReceptionStatistics {
  recordPacket(packet: Buffer, now: number): void
  recordSenderReport(clock: SenderClock, now: number): void
  createReportBlock(now: number): ReportBlock
  readonly packets: number
}

export function createReceptionStatistics(clockRate: number): ReceptionStatistics {
  let firstSequence: number | null = null
  let highestSequence = 0
  let packets = 0
  let lastTransit: number | null = null
  let jitter = 0
  let lastSenderReport = 0
  let senderReportAt = 0
  let previousReport = { expectedCount: 0, packets: 0 }

  const expectedCount = () => (firstSequence === null ? 0 : highestSequence - firstSequence + 1)

  function recordPacket(packet: Buffer, now: number): void {
    const sequence = sequenceOf(packet)
    packets += 1
    if (firstSequence === null) {
      firstSequence = sequence
      highestSequence = sequence
    }
    const distance = sequenceDistance(sequence, highestSequence & 0xffff)
    if (distance > 0) highestSequence += distance
    if (distance < 0) return
    const transit = (now * clockRate) / 1000 - timestampOf(packet)
    if (lastTransit !== null) {
      const difference = Math.abs(transit - lastTransit)
      // A larger difference: the RTP timestamp wrapped around, or the source restarted.
      if (difference < clockRate * 10) jitter += (difference - jitter) / 16
    }
    lastTransit = transit
  }

  return {
    recordPacket,
    recordSenderReport(clock, now) {
      lastSenderReport = clock.ntpMiddle
      senderReportAt = now
    },
    createReportBlock(now) {
      const interval = {
        expectedCount: expectedCount() - previousReport.expectedCount,
        packets: packets - previousReport.packets,
      }
      previousReport = { expectedCount: expectedCount(), packets }
      const fractionLost =
        interval.expectedCount > 0 ? Math.max(0, interval.expectedCount - interval.packets) / interval.expectedCount : 0
      return {
        fractionLost,
        cumulativeLost: expectedCount() - packets,
        highestSequence,
        jitter,
        lastSenderReport,
        sinceSenderReportMs: now - senderReportAt,
      }
    },
    get packets() {
      return packets
    },
  }
}
