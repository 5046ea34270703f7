import { memo } from 'react'
import { Avatar } from '#islands/ui/Avatar.tsx'
import { messagePlainText } from '#lib/chat/message/markdown-rules.ts'
import { UNREAD_LIMIT } from '#lib/chat/schema.ts'
import { formatRelativeDateTime, type Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { Conversation } from '../chat-props.ts'

interface RowProps {
  conversation: Conversation
  isCurrent: boolean
  timeZone: string
  locale: Locale
  t: Translate
}

/** A conversation of the list. Rendered again only when it changes. */
export const ConversationRow = memo(({ conversation, isCurrent, timeZone, locale, t }: RowProps) => {
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
