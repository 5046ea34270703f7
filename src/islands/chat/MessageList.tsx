import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import { useHydrated } from '#islands/ui/use-hydrated.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { firstSeq, hasNewer, hasOlder, latestSeq, type MessageWindow } from './message-window.ts'

interface Props {
  window: MessageWindow
  /** Address of the page of older messages, for browsers without scripts. */
  olderHref: string
  onOlder(): Promise<void>
  onNewer(): Promise<void>
  onLatest(): Promise<void>
  /** The reader sees the messages up to this one. */
  onSeen(seq: number): void
  children: ReactNode
  t: Translate
}

/**
 * The scrolled messages. The container is laid out from its end, so that the browser itself shows the latest message
 * first and keeps the position when older ones are added.
 */
export function MessageList({ window, olderHref, onOlder, onNewer, onLatest, onSeen, children, t }: Props) {
  const scroller = useRef<HTMLElement>(null)
  const [isAtEnd, setAtEnd] = useState(true)
  const isHydrated = useHydrated()
  const newest = latestSeq(window)
  const oldest = firstSeq(window)
  const isComplete = !hasNewer(window)
  const isSeen = isAtEnd && isComplete

  useEffect(() => {
    if (!isSeen || newest === 0) return undefined
    const markSeen = () => {
      if (!document.hidden) onSeen(newest)
    }
    markSeen()
    document.addEventListener('visibilitychange', markSeen)
    return () => document.removeEventListener('visibilitychange', markSeen)
  }, [isSeen, newest, onSeen])

  const topMark = useMark(scroller, oldest, onOlder)
  const endMark = useMark(scroller, isComplete ? 0 : newest, onNewer)
  const goToLatest = async () => {
    if (!isComplete) await onLatest()
    scroller.current?.scrollTo({ top: 0 })
  }
  const waiting = window.lastSeq - newest
  return (
    <div className="chat-stream">
      <section
        className="chat-scroller"
        ref={scroller}
        aria-label={t('chat:stream.label')}
        onScroll={({ currentTarget }) => setAtEnd(currentTarget.scrollTop > -40)}
      >
        <div>
          {hasOlder(window) && (
            <p className="chat-more" ref={topMark}>
              {isHydrated ? (
                t('chat:stream.loading')
              ) : (
                <a href={olderHref} className="still-link">
                  {t('chat:stream.older')}
                </a>
              )}
            </p>
          )}
          <ol aria-live={isSeen ? 'polite' : 'off'} className="chat-messages">
            {children}
          </ol>
          {!isComplete && (
            <p className="chat-more" ref={endMark}>
              {t('chat:stream.loading')}
            </p>
          )}
        </div>
      </section>
      {isHydrated && !isSeen && (
        <Button small className="chat-latest" onClick={() => void goToLatest()}>
          {waiting > 0 ? t('chat:stream.newer', { count: waiting }) : t('chat:stream.latest')}
        </Button>
      )}
    </div>
  )
}

/** Calls `loadMore` when the element becomes visible; observed again after the messages at this end have changed. */
function useMark(scroller: { current: HTMLElement | null }, seq: number, loadMore: () => Promise<void>) {
  const mark = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (!mark.current) return undefined
    mark.current.dataset.seq = String(seq)
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) void loadMore().catch(() => undefined)
      },
      { root: scroller.current, rootMargin: '300px' },
    )
    observer.observe(mark.current)
    return () => observer.disconnect()
  }, [seq, loadMore, scroller])
  return mark
}
