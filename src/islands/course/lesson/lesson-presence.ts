import { useEffect, useMemo, useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { $connection, subscribe } from '#islands/stores/live.ts'

/** Another editor of the lesson: another author, or the same author in another tab. */
export interface LessonParticipant {
  tab: string
  memberId: string
  name: string
}

interface PresenceCallbacks {
  /** Another tab has saved a new version of the draft. */
  onSaved: (version: number) => void
  onPublished: (version: number) => void
  /** Events were missed while disconnected. */
  onMissed: () => void
}

// Events of the channel `lesson:{id}`; see presence.ts of the course module.
type LessonEvent =
  | ({ kind: 'come' | 'stay' | 'go' } & LessonParticipant)
  | { kind: 'saved'; version: number; tab: string | null }
  | { kind: 'published'; version: number }

const HEARTBEAT_MS = 25_000
const PRESENCE_TIMEOUT_MS = 70_000

/** Announces this tab to the other editors of the lesson and returns them. */
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
  const present = new Map<string, LessonParticipant & { receivedAt: number }>()
  const announce = (kind: 'come' | 'stay' | 'go') =>
    void api.course
      .attendLesson({ lessonId, tab, announce: kind }, { context: { isQuiet: true, isLeaving: kind === 'go' } })
      .catch(() => undefined)
  const emitOthers = () => onChange([...present.values()].map(({ receivedAt: _, ...companion }) => companion))

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
    else present.set(companion.tab, { ...companion, receivedAt: Date.now() })
    if (kind === 'come') announce('stay')
    emitOthers()
  }

  function join(): () => void {
    const unsubscribe = subscribe<LessonEvent>(`lesson:${lessonId}`, handleEvent, () => company.callbacks?.onMissed())
    // Others respond to a join, so it is announced when the connection is open.
    const stop = $connection.subscribe((connection) => connection === 'open' && announce('come'))
    const heartbeat = setInterval(() => {
      for (const [name, { receivedAt }] of present)
        if (receivedAt < Date.now() - PRESENCE_TIMEOUT_MS) present.delete(name)
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
