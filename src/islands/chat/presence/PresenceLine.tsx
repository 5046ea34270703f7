import { formatRelativeDateTime, type Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { useChatPresence } from './use-presence.ts'

interface Props extends Pick<ReturnType<typeof useChatPresence>, 'isTyping' | 'other'> {
  timeZone: string
  locale: Locale
  t: Translate
}

/** Whether the other participant types, is online, or when it was; empty when it is not shared. */
export function PresenceLine({ isTyping, other, timeZone, locale, t }: Props) {
  return (
    <p className="chat-presence" data-online={other?.isOnline || undefined}>
      {isTyping
        ? t('chat:presence.typing')
        : other?.isOnline
          ? t('chat:presence.online')
          : other?.seenAt
            ? t('chat:presence.seen', { time: formatRelativeDateTime(other.seenAt, timeZone, locale) })
            : ''}
    </p>
  )
}
