import { useRef, useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { showFailure } from '#islands/stores/notice.ts'
import type { Track } from '#lib/core/shared/event/auto-event.ts'
import type { ScriptProps } from './script.ts'

/** The muted tracks. A change is saved at once and reverted when the server refuses it. */
export function useTracks({ workshopId, version, mutedTracks }: ScriptProps) {
  const [current, setCurrent] = useState<readonly Track[]>(mutedTracks)
  const knownVersion = useRef(version)
  const setTrackMuted = async (track: Track, isMuted: boolean) => {
    const next = isMuted ? [...current, track] : current.filter((mutedTrack) => mutedTrack !== track)
    setCurrent(next)
    try {
      const saved = await api.autowebinar.savePlan({
        workshopId,
        version: knownVersion.current,
        base: { mutedTracks: [...current] },
        mutedTracks: [...next],
      })
      knownVersion.current = saved.version
    } catch (error) {
      setCurrent(current)
      showFailure(error instanceof CallError ? error.message : '')
    }
  }
  return { mutedTracks: current, setTrackMuted }
}
