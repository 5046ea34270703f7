import './chat.css'
import { memo, useEffect, useMemo, useRef, useState } from 'react'
import { asIsland } from '#islands/mount/as-island.ts'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { subscribe } from '#islands/stores/live.ts'
import { Avatar } from '#islands/ui/Avatar.tsx'
import { Button } from '#islands/ui/Button.tsx'
import { messagePlainText } from '#lib/chat/message/markdown-rules.ts'
import { UNREAD_LIMIT } from '#lib/chat/schema.ts'
import { formatRelativeDateTime, type Locale } from '#lib/core/shared/locale.ts'
import { createTranslator, type Translate } from '#lib/core/shared/text/strings.ts'
import { type Conversation, type ConversationListProps, QUIET_CALL } from './chat-props.ts'
import { usePresenceReports } from './presence/use-presence.ts'

export default asIsland('conversations', ConversationList)

/** Channels of conversations in addition to those of the member: a stream has at most twenty. */
const MAX_FOLLOWED = 12
const REFRESH_MS = 1000

/** The conversations of the member, updated live; a row is a link to its conversation. */
function ConversationList(props: ConversationListProps) {
  const { isArchived, currentId, memberId, isManager, canWrite, timeZone, locale, strings } = props
  usePresenceReports(null, canWrite && currentId === null)
  const [conversations, setConversations] = useState(props.conversations)
  const [next, setNext] = useState(props.next)
  const [isLoading, setLoading] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  const t = useMemo(() => createTranslator(strings, locale), [strings, locale])
  const followed = conversations
    .filter(({ kind }) => kind === 'course' || kind === 'group' || kind === 'team')
    .slice(0, MAX_FOLLOWED)
    .map(({ id }) => id)
    .sort()
    .join(' ')
  const isContinued = useRef(false)
  const listEnd = useRef<HTMLParagraphElement>(null)
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>())

  useEffect(() => {
    const waiting = timers.current
    const refresh = (conversationId: string) => {
      if (waiting.has(conversationId)) return
      // Many messages of a busy conversation are one request.
      waiting.set(
        conversationId,
        setTimeout(() => {
          waiting.delete(conversationId)
          api.chat.getConversation({ conversationId }, QUIET_CALL).then(
            (fresh) =>
              setConversations((all) => {
                const others = all.filter(({ id }) => id !== fresh.id)
                return fresh.isArchived === isArchived ? sorted([fresh, ...others]) : others
              }),
            // The member has left it, or was banned from it.
            (failure) => {
              if (CallError.from(failure).code !== 'not_found') return
              setConversations((all) => all.filter(({ id }) => id !== conversationId))
            },
          )
        }, REFRESH_MS),
      )
    }
    const reload = () =>
      void api.chat.listConversations({ isArchived }, QUIET_CALL).then(
        ({ items, next: nextPage }) => {
          setConversations((all) => [...items, ...(nextPage ? listedAfter(all, items) : [])])
          // The pages that have been loaded after the first one stay.
          setNext((before) => (nextPage && isContinued.current ? before : nextPage))
        },
        () => undefined,
      )
    const follow = (channel: string) =>
      subscribe<{ conversationId: string }>(channel, ({ conversationId }) => refresh(conversationId), reload)
    const ends = [follow(`chat:${memberId}`)]
    if (isManager) ends.push(follow('chat-managers'))
    for (const id of followed.split(' ').filter(Boolean)) ends.push(subscribe(`conversation:${id}`, () => refresh(id)))
    return () => {
      for (const end of ends) end()
      for (const timer of waiting.values()) clearTimeout(timer)
      waiting.clear()
    }
  }, [memberId, isManager, isArchived, followed])

  const loadMore = async () => {
    if (!next || isLoading) return
    setLoading(true)
    setFailed(false)
    try {
      const page = await api.chat.listConversations({ cursor: next, isArchived })
      setConversations((all) => sorted([...all, ...page.items.filter(({ id }) => !all.some((old) => old.id === id))]))
      setNext(page.next)
      isContinued.current = true
    } catch {
      setFailed(true)
    } finally {
      setLoading(false)
    }
  }
  const loadAtEnd = useRef(loadMore)
  loadAtEnd.current = loadMore
  // The next page is loaded before the end of the list is scrolled into view; after a failure by the button only.
  useEffect(() => {
    if (!listEnd.current || !next || hasFailed) return undefined
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) void loadAtEnd.current()
      },
      { root: listEnd.current.closest('.chat-side'), rootMargin: '600px' },
    )
    observer.observe(listEnd.current)
    return () => observer.disconnect()
  }, [next, hasFailed])
  return (
    <>
      <ul className="chat-list" aria-label={t('chat:list.label')}>
        {conversations.map((conversation) => (
          <li key={conversation.id}>
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

interface RowProps {
  conversation: Conversation
  isCurrent: boolean
  timeZone: string
  locale: Locale
  t: Translate
}

/** Rendered again only when its conversation changes: the list can have thousands of rows. */
const ConversationRow = memo(({ conversation, isCurrent, timeZone, locale, t }: RowProps) => {
  const { id, kind, context, unread, isMentioned, last } = conversation
  const title = conversation.title ?? t('chat:list.support')
  const count = unread >= UNREAD_LIMIT ? `${UNREAD_LIMIT - 1}+` : String(unread)
  const text = last ? messagePlainText(last.body) || withoutText(last, t) : t('chat:list.noMessages')
  const author = last?.isMine ? t('chat:message.you') : kind === 'direct' ? '' : last?.author
  return (
    <a href={`/chat?conversation=${id}`} className="chat-row" aria-current={isCurrent ? 'page' : undefined}>
      <Avatar name={title} />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-2">
          <span className="min-w-0 flex-1 truncate font-semibold">{title}</span>
          <span className="text-muted text-xs whitespace-nowrap">
            {formatRelativeDateTime(conversation.activeAt, timeZone, locale)}
          </span>
        </span>
        <span className="chat-row-context">
          {context ? `${t(`chat:kind.${kind}`)} · ${context}` : t(`chat:kind.${kind}`)}
        </span>
        <span className="flex items-baseline gap-2">
          <span className="min-w-0 flex-1 truncate text-muted text-sm">
            {author ? `${author}: ` : ''}
            {text}
          </span>
          {isMentioned && (
            <span className="chat-unread">
              <span aria-hidden="true">@</span>
              <span className="sr-only">{t('chat:list.mentioned')}</span>
            </span>
          )}
          {unread > 0 && (
            <span className="chat-unread">
              <span aria-hidden="true">{count}</span>
              <span className="sr-only">{t('chat:list.unread', { count: unread })}</span>
            </span>
          )}
        </span>
      </span>
    </a>
  )
})

const withoutText = ({ attachment }: NonNullable<Conversation['last']>, t: Translate): string =>
  attachment === 'none' ? t('chat:message.deleted') : t(`chat:files.${attachment}`)

/** The conversations after those of the first page. */
function listedAfter(all: readonly Conversation[], firstPage: readonly Conversation[]): readonly Conversation[] {
  const last = firstPage.at(-1)
  const known = new Set(firstPage.map(({ id }) => id))
  return last ? all.filter(({ id, activeAt }) => !known.has(id) && activeAt <= last.activeAt) : []
}

const sorted = (all: readonly Conversation[]): Conversation[] =>
  all.toSorted((a, b) => (a.activeAt === b.activeAt ? 0 : a.activeAt < b.activeAt ? 1 : -1))
