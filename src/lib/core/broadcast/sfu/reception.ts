import { ahead, type Clock, type Received, sequenceOf, timeOf } from './rtp.ts'

/** What a receiver counts of one source to report it (RFC 3550, 6.4.1 and A.8). */
export interface Reception {
  note(packet: Buffer, now: number): void
  clocked(clock: Clock, now: number): void
  report(now: number): Received
  readonly packets: number
}

export function receive(clockRate: number): Reception {
  let first: number | null = null
  let highest = 0
  let packets = 0
  let transit: number | null = null
  let jitter = 0
  let middle = 0
  let clockedAt = 0
  let before = { expected: 0, packets: 0 }

  const expected = () => (first === null ? 0 : highest - first + 1)

  function note(packet: Buffer, now: number): void {
    const sequence = sequenceOf(packet)
    packets += 1
    if (first === null) {
      first = sequence
      highest = sequence
    }
    const distance = ahead(sequence, highest & 0xffff)
    if (distance > 0) highest += distance
    if (distance < 0) return
    const passed = (now * clockRate) / 1000 - timeOf(packet)
    if (transit !== null) {
      const difference = Math.abs(passed - transit)
      // The RTP time has gone round, or the source has begun anew.
      if (difference < clockRate * 10) jitter += (difference - jitter) / 16
    }
    transit = passed
  }

  return {
    note,
    clocked(clock, now) {
      middle = clock.middle
      clockedAt = now
    },
    report(now) {
      const since = { expected: expected() - before.expected, packets: packets - before.packets }
      before = { expected: expected(), packets }
      const fraction = since.expected > 0 ? Math.max(0, since.expected - since.packets) / since.expected : 0
      return { fraction, lost: expected() - packets, highest, jitter, middle, since: now - clockedAt }
    },
    get packets() {
      return packets
    },
  }
}
