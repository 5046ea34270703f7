import type { Uplink } from './uplink-probe.ts'

export type Light = 'good' | 'warn' | 'bad'

/** What is enough to be seen well: bits a second, share lost, milliseconds there and back. */
const WELL = { bitrate: 500_000, loss: 0.02, roundTrip: 300 }
const HARDLY = { bitrate: 150_000, loss: 0.08, roundTrip: 800 }

/** How good an uplink is: by its worst number. */
export function judgeUplink({ bitrate, loss, roundTrip }: Uplink): Light {
  const within = (limit: typeof WELL) =>
    bitrate >= limit.bitrate && loss <= limit.loss && (roundTrip ?? 0) <= limit.roundTrip
  return within(WELL) ? 'good' : within(HARDLY) ? 'warn' : 'bad'
}

/** Whether a recording of that size has room, in bytes; null is without limit. */
export const judgeRoom = (room: number | null, wanted: number): Light =>
  room === null || room > wanted * 2 ? 'good' : room > wanted ? 'warn' : 'bad'

/** The worst of several. */
export const worstOf = (lights: readonly Light[]): Light =>
  lights.includes('bad') ? 'bad' : lights.includes('warn') ? 'warn' : 'good'
