import type { Channels } from '#lib/core/live/live.ts'

/** Who may listen to what, room by room. */
export const channels: Channels = {}
