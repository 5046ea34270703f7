import { useStore } from '@nanostores/react'
import type { ReadableAtom } from 'nanostores'
import { useEffect, useRef, useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { PRESENCE_INTERVAL_MS } from '#lib/chat/presence/schema.ts'
import { QUIET_CALL } from '../chat-props.ts'
import type { ChatActivity } from '../conversation-store.ts'

/** A report that the other one types is shown for this time, and repeated in half of it. */
const TYPING_MS = 6000

type OtherPresence = Awaited<ReturnType<typeof api.chat.reportPresence>>['other']

/** Reports that the member is online while the page is visible. Without `isActive` nothing is reported. */
export function usePresenceReports(conversationId: string | null, isActive: boolean): OtherPresence {
  const [other, setOther] = useState<OtherPresence>(null)
  useEffect(() => {
    if (!isActive) return undefined
    let isCurrent = true
    const report = () => {
      if (document.hidden) return
      api.chat.reportPresence(conversationId === null ? {} : { conversationId }, QUIET_CALL).then(
        (report) => isCurrent && setOther(report.other),
        () => undefined,
      )
    }
    report()
    const timer = setInterval(report, PRESENCE_INTERVAL_MS)
    document.addEventListener('visibilitychange', report)
    return () => {
      isCurrent = false
      clearInterval(timer)
      document.removeEventListener('visibilitychange', report)
    }
  }, [conversationId, isActive])
  return other
}

interface Options {
  conversationId: string
  isDirect: boolean
  canWrite: boolean
  $activity: ReadableAtom<ChatActivity | null>
}

/** The presence of the other participant of a direct conversation, and reports of the member's own. */
export function useChatPresence({ conversationId, isDirect, canWrite, $activity }: Options) {
  const reported = usePresenceReports(conversationId, canWrite)
  const activity = useStore($activity)
  const [isTyping, setTyping] = useState(false)
  const typedAt = useRef(0)
  useEffect(() => {
    setTyping(activity?.type === 'typing')
    const timer = setTimeout(() => setTyping(false), TYPING_MS)
    return () => clearTimeout(timer)
  }, [activity])
  const isActive = activity !== null && Date.now() - activity.at < PRESENCE_INTERVAL_MS
  return {
    isTyping,
    other: reported && (isActive ? { ...reported, isOnline: true } : reported),
    /** To be called with each change of the text. */
    reportTyping(text: string): void {
      if (!isDirect || !canWrite || text === '' || Date.now() - typedAt.current < TYPING_MS / 2) return
      typedAt.current = Date.now()
      api.chat.reportTyping({ conversationId }, QUIET_CALL).catch(() => undefined)
    },
  }
}
