import { useRef, useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { showFailure } from '#islands/stores/notice.ts'
import type { Track } from '#lib/core/shared/event/auto-event.ts'
import type { ScriptProps } from './script.ts'

/** Which tracks are not played; a change is kept at once, and taken back when the server refuses. */
export function useTracks({ workshopId, version, mutedTracks }: ScriptProps) {
  const [muted, setMuted] = useState<readonly Track[]>(mutedTracks)
  const known = useRef(version)
  const mute = async (track: Track, off: boolean) => {
    const next = off ? [...muted, track] : muted.filter((one) => one !== track)
    setMuted(next)
    try {
      const saved = await api.autowebinar.savePlan({
        workshopId,
        version: known.current,
        base: { mutedTracks: [...muted] },
        mutedTracks: [...next],
      })
      known.current = saved.version
    } catch (error) {
      setMuted(muted)
      showFailure(error instanceof CallError ? error.message : '')
    }
  }
  return { muted, mute }
}
