import { useEffect, useMemo, useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { $connection, subscribe } from '#islands/stores/live.ts'

/** Somebody who has the same lesson open: another author, or the same one in another tab. */
export interface LessonParticipant {
  tab: string
  memberId: string
  name: string
}

interface PresenceCallbacks {
  /** The draft has a new version, saved by another tab. */
  onSaved: (version: number) => void
  onPublished: (version: number) => void
  /** Too much was missed while the connection was away. */
  onMissed: () => void
}

// What the server says on `lesson:{id}`; see attend.ts in the course room.
type LessonEvent =
  | ({ kind: 'come' | 'stay' | 'go' } & LessonParticipant)
  | { kind: 'saved'; version: number; tab: string | null }
  | { kind: 'published'; version: number }

const HEARTBEAT_MS = 25_000
const PRESENCE_TIMEOUT_MS = 70_000

/** Makes this tab known to all that have the lesson open, and tells who they are. */
export function usePresence(
  lessonId: string,
  callbacks: PresenceCallbacks,
): { tab: string; others: LessonParticipant[] } {
  const [others, setOthers] = useState<LessonParticipant[]>([])
  const company = useMemo(() => createPresence(lessonId, setOthers), [lessonId])
  company.callbacks = callbacks
  useEffect(() => company.join(), [company])
  return { tab: company.tab, others }
}

function createPresence(lessonId: string, onChange: (others: LessonParticipant[]) => void) {
  const tab = [...crypto.getRandomValues(new Uint32Array(2))].map((part) => part.toString(36)).join('')
  const present = new Map<string, LessonParticipant & { heardAt: number }>()
  const announce = (kind: 'come' | 'stay' | 'go') =>
    void api.course
      .attendLesson({ lessonId, tab, announce: kind }, { context: { isQuiet: true, isLeaving: kind === 'go' } })
      .catch(() => undefined)
  const emitOthers = () => onChange([...present.values()].map(({ heardAt: _, ...companion }) => companion))

  const company = { tab, callbacks: null as PresenceCallbacks | null, join }
  return company

  function handleEvent(event: LessonEvent): void {
    if (event.kind === 'published') company.callbacks?.onPublished(event.version)
    else if (event.tab === tab) return
    else if (event.kind === 'saved') company.callbacks?.onSaved(event.version)
    else updateParticipant(event)
  }

  function updateParticipant({ kind, ...companion }: LessonParticipant & { kind: 'come' | 'stay' | 'go' }): void {
    if (kind === 'go') present.delete(companion.tab)
    else present.set(companion.tab, { ...companion, heardAt: Date.now() })
    if (kind === 'come') announce('stay')
    emitOthers()
  }

  function join(): () => void {
    const unsubscribe = subscribe<LessonEvent>(`lesson:${lessonId}`, handleEvent, () => company.callbacks?.onMissed())
    // Whoever is here answers the one who comes; so it says so once it can hear them.
    const stop = $connection.subscribe((connection) => connection === 'open' && announce('come'))
    const heartbeat = setInterval(() => {
      for (const [name, { heardAt }] of present) if (heardAt < Date.now() - PRESENCE_TIMEOUT_MS) present.delete(name)
      if (present.size > 0) announce('stay')
      emitOthers()
    }, HEARTBEAT_MS)
    const leaveLesson = () => announce('go')
    window.addEventListener('pagehide', leaveLesson)
    return () => {
      window.removeEventListener('pagehide', leaveLesson)
      clearInterval(heartbeat)
      stop()
      unsubscribe()
      leaveLesson()
    }
  }
}
