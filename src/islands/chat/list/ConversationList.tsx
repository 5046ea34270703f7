import '../chat.css'
import { useEffect, useMemo, useRef } from 'react'
import { asIsland } from '#islands/mount/as-island.ts'
import { Button } from '#islands/ui/Button.tsx'
import { createTranslator } from '#lib/core/shared/text/strings.ts'
import type { ConversationListProps } from '../chat-props.ts'
import { usePresenceReports } from '../presence/use-presence.ts'
import { ConversationRow } from './ConversationRow.tsx'
import { useConversationList } from './use-conversation-list.ts'
import { useRowsInView } from './use-rows-in-view.ts'

export default asIsland('conversations', ConversationList)

/** Distance to the end of the list at which the next page is loaded. */
const LOAD_AHEAD_PX = 600

/**
 * The conversations of the member, updated live; a row is a link to its conversation. Only rows near the visible ones are in
 * the document, after the rows of the server have been taken over.
 */
function ConversationList(props: ConversationListProps) {
  const { currentId, canWrite, timeZone, locale, strings } = props
  usePresenceReports(null, canWrite && currentId === null)
  const { conversations, next, isLoading, hasFailed, loadMore, retry } = useConversationList(props)
  const t = useMemo(() => createTranslator(strings, locale), [strings, locale])
  const list = useRef<HTMLUListElement>(null)
  const listEnd = useRef<HTMLParagraphElement>(null)
  const { height, rows, measureRow, setFocused } = useRowsInView(list, conversations)
  const loadAtEnd = useRef(loadMore)
  loadAtEnd.current = loadMore
  // The next page is loaded before the end of the list is scrolled into view.
  useEffect(() => {
    if (!listEnd.current || !next || hasFailed) return undefined
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) void loadAtEnd.current()
      },
      { root: listEnd.current.closest('.chat-side'), rootMargin: `${LOAD_AHEAD_PX}px` },
    )
    observer.observe(listEnd.current)
    return () => observer.disconnect()
  }, [next, hasFailed])
  // After a failure by its button, when the network returns, and when the person scrolls at the end again.
  useEffect(() => {
    const side = listEnd.current?.closest('.chat-side')
    if (!side || !next || !hasFailed || isLoading) return undefined
    const loadNext = () => void loadAtEnd.current()
    const loadOnline = () => {
      retry.recordOnline()
      loadNext()
    }
    const loadByScroll = () => {
      const isNear = side.scrollHeight - side.scrollTop - side.clientHeight < LOAD_AHEAD_PX
      if (isNear && retry.canRetry()) loadNext()
    }
    window.addEventListener('online', loadOnline)
    side.addEventListener('scroll', loadByScroll, { passive: true })
    return () => {
      window.removeEventListener('online', loadOnline)
      side.removeEventListener('scroll', loadByScroll)
    }
  }, [next, hasFailed, isLoading, retry])
  return (
    <>
      <ul
        ref={list}
        className="chat-list"
        aria-label={t('chat:list.label')}
        style={height === null ? undefined : { height }}
        onBlur={() => setFocused(null)}
      >
        {rows.map(({ conversation, index, top }) => (
          <li
            key={conversation.id}
            ref={measureRow}
            data-index={index}
            aria-setsize={next ? -1 : conversations.length}
            aria-posinset={index + 1}
            style={top === null ? undefined : { position: 'absolute', insetInline: 0, top }}
            onFocus={() => setFocused(conversation.id)}
          >
            <ConversationRow
              conversation={conversation}
              isCurrent={conversation.id === currentId}
              timeZone={timeZone}
              locale={locale}
              t={t}
            />
          </li>
        ))}
      </ul>
      {next && (
        <p className="p-3" ref={listEnd}>
          <Button small busy={isLoading} onClick={() => void loadMore()}>
            {t('chat:list.more')}
          </Button>
        </p>
      )}
    </>
  )
}
