import { useEffect, useMemo, useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { $connection, subscribe } from '#islands/stores/live.ts'

/** Somebody who has the same lesson open: another author, or the same one in another tab. */
export interface Companion {
  tab: string
  memberId: string
  name: string
}

interface Told {
  /** The draft has a new version, saved by another tab. */
  saved: (version: number) => void
  published: (version: number) => void
  /** Too much was missed while the connection was away. */
  missed: () => void
}

// What the server says on `lesson:{id}`; see attend.ts in the course room.
type LessonEvent =
  | ({ kind: 'come' | 'stay' | 'go' } & Companion)
  | { kind: 'saved'; version: number; tab: string | null }
  | { kind: 'published'; version: number }

const STAY_MILLISECONDS = 25_000
const GONE_MILLISECONDS = 70_000

/** Makes this tab known to all that have the lesson open, and tells who they are. */
export function useCompany(lessonId: string, told: Told): { tab: string; others: Companion[] } {
  const [others, setOthers] = useState<Companion[]>([])
  const company = useMemo(() => makeCompany(lessonId, setOthers), [lessonId])
  company.told = told
  useEffect(() => company.join(), [company])
  return { tab: company.tab, others }
}

function makeCompany(lessonId: string, changed: (others: Companion[]) => void) {
  const tab = [...crypto.getRandomValues(new Uint32Array(2))].map((part) => part.toString(36)).join('')
  const present = new Map<string, Companion & { heardAt: number }>()
  const sign = (what: 'come' | 'stay' | 'go') =>
    void api.course
      .attendLesson({ lessonId, tab, sign: what }, { context: { quiet: true, leaving: what === 'go' } })
      .catch(() => undefined)
  const tell = () => changed([...present.values()].map(({ heardAt: _, ...companion }) => companion))

  const company = { tab, told: null as Told | null, join }
  return company

  function hear(event: LessonEvent): void {
    if (event.kind === 'published') company.told?.published(event.version)
    else if (event.tab === tab) return
    else if (event.kind === 'saved') company.told?.saved(event.version)
    else meet(event)
  }

  function meet({ kind, ...companion }: Companion & { kind: 'come' | 'stay' | 'go' }): void {
    if (kind === 'go') present.delete(companion.tab)
    else present.set(companion.tab, { ...companion, heardAt: Date.now() })
    if (kind === 'come') sign('stay')
    tell()
  }

  function join(): () => void {
    const leave = subscribe<LessonEvent>(`lesson:${lessonId}`, hear, () => company.told?.missed())
    // Whoever is here answers the one who comes; so it says so once it can hear them.
    const stop = $connection.subscribe((connection) => connection === 'open' && sign('come'))
    const beat = setInterval(() => {
      for (const [name, { heardAt }] of present) if (heardAt < Date.now() - GONE_MILLISECONDS) present.delete(name)
      if (present.size > 0) sign('stay')
      tell()
    }, STAY_MILLISECONDS)
    const go = () => sign('go')
    window.addEventListener('pagehide', go)
    return () => {
      window.removeEventListener('pagehide', go)
      clearInterval(beat)
      stop()
      leave()
      go()
    }
  }
}
