import { useEffect, useState } from 'react'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { roomNow } from './room.ts'

/** Returns the server's time in milliseconds, updated every second. Before hydration it is the time of rendering. */
export function useNow({ serverNow }: Pick<RoomView, 'serverNow'>): number {
  const [shownAt, setShownAt] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setShownAt(roomNow()), 1000)
    return () => clearInterval(timer)
  }, [])
  return shownAt
}
