import { useEffect, useRef, useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { subscribe } from '#islands/stores/live.ts'
import { type ConversationListProps, QUIET_CALL } from '../chat-props.ts'
import { addConversations, removeConversation, replaceConversation, replaceFirstPage } from './loaded-conversations.ts'
import { createPageRetry } from './page-retry.ts'

/** Channels of conversations in addition to those of the member: a stream has at most twenty. */
const MAX_FOLLOWED = 12
const REFRESH_MS = 1000
/** The first page is part of the document; later ones are larger, so that a long list needs few requests. */
const NEXT_PAGE_SIZE = 100

type Options = Pick<ConversationListProps, 'conversations' | 'next' | 'isArchived' | 'memberId' | 'isManager'>

/** The conversations of the member, updated live, and the loading of further pages. */
export function useConversationList({ isArchived, memberId, isManager, ...initial }: Options) {
  const [conversations, setConversations] = useState(initial.conversations)
  const [next, setNext] = useState(initial.next)
  const [isLoading, setLoading] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  const [retry] = useState(() => createPageRetry())
  const followed = conversations
    .filter(({ kind }) => kind === 'course' || kind === 'group' || kind === 'team')
    .slice(0, MAX_FOLLOWED)
    .map(({ id }) => id)
    .sort()
    .join(' ')
  const isContinued = useRef(false)
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
              setConversations((all) =>
                fresh.isArchived === isArchived ? replaceConversation(all, fresh) : removeConversation(all, fresh.id),
              ),
            // The member has left it, or was banned from it.
            (failure) => {
              if (CallError.from(failure).code !== 'not_found') return
              setConversations((all) => removeConversation(all, conversationId))
            },
          )
        }, REFRESH_MS),
      )
    }
    const reload = () =>
      void api.chat.listConversations({ isArchived }, QUIET_CALL).then(
        ({ items, next: nextPage }) => {
          setConversations((all) => replaceFirstPage(all, items, nextPage === null))
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
      const page = await api.chat.listConversations({ cursor: next, isArchived, limit: NEXT_PAGE_SIZE })
      setConversations((all) => addConversations(all, page.items))
      setNext(page.next)
      isContinued.current = true
      retry.recordSuccess()
    } catch {
      retry.recordFailure()
      setFailed(true)
    } finally {
      setLoading(false)
    }
  }
  return { conversations, next, isLoading, hasFailed, loadMore, retry }
}
