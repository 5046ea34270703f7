import { useEffect, useState } from 'react'

/** Where the film of this page stands, in milliseconds. */
export function useFilm(): number {
  const [ms, setMs] = useState(0)
  useEffect(() => {
    // The player draws its video anew when it wakes: whichever plays is followed.
    const follow = ({ target }: Event) => {
      if (target instanceof HTMLVideoElement) setMs(Math.floor(target.currentTime * 1000))
    }
    for (const name of ['timeupdate', 'seeked']) document.addEventListener(name, follow, true)
    return () => {
      for (const name of ['timeupdate', 'seeked']) document.removeEventListener(name, follow, true)
    }
  }, [])
  return ms
}
