import { useEffect, useState } from 'react'

/** Where the film of this page stands, in milliseconds. */
export function useVideoPosition(): number {
  const [positionMs, setPositionMs] = useState(0)
  useEffect(() => {
    // The player draws its video anew when it wakes: whichever plays is followed.
    const update = ({ target }: Event) => {
      if (target instanceof HTMLVideoElement) setPositionMs(Math.floor(target.currentTime * 1000))
    }
    for (const name of ['timeupdate', 'seeked']) document.addEventListener(name, update, true)
    return () => {
      for (const name of ['timeupdate', 'seeked']) document.removeEventListener(name, update, true)
    }
  }, [])
  return positionMs
}
