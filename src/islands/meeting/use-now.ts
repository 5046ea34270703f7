import { useEffect, useState } from 'react'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { now } from './room.ts'

/** The server's clock in milliseconds, second by second. Until the page lives it is the moment it was made at. */
export function useNow({ serverNow }: Pick<RoomView, 'serverNow'>): number {
  const [shownAt, setShownAt] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setShownAt(now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return shownAt
}
