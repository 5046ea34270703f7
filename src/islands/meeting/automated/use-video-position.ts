import { useEffect, useState } from 'react'

/** Returns the position of the page's video in milliseconds. */
export function useVideoPosition(): number {
  const [positionMs, setPositionMs] = useState(0)
  useEffect(() => {
    // The player replaces its video element when it hydrates, so events of all video elements are handled.
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
