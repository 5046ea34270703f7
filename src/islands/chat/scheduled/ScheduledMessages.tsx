import { ChevronDown, Clock } from 'lucide-react'
import { useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { Button } from '#islands/ui/Button.tsx'
import { messagePlainText } from '#lib/chat/message/markdown-rules.ts'
import { formatDateTime, type Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { QUIET_CALL, type ScheduledMessage } from '../chat-props.ts'
import { ScheduleDialog } from './ScheduleDialog.tsx'
import type { useScheduled } from './use-scheduled.ts'

interface Props {
  scheduled: ReturnType<typeof useScheduled>
  timeZone: string
  locale: Locale
  t: Translate
}

/** The planned messages of the member in this conversation, as one line that opens to a list. */
export function ScheduledMessages({ scheduled, timeZone, locale, t }: Props) {
  const [edited, setEdited] = useState<ScheduledMessage | null>(null)
  const fileIds = edited?.files.map(({ id }) => id) ?? []
  const { messages } = scheduled
  if (messages.length === 0) return null
  const failed = messages.filter(({ failure }) => failure !== null).length
  return (
    <details className="chat-scheduled" open={failed > 0}>
      <summary>
        <Clock size={16} strokeWidth={1.75} aria-hidden="true" />
        <span className="flex-1 font-semibold">{t('chat:scheduled.count', { count: messages.length })}</span>
        <ChevronDown size={18} strokeWidth={1.75} className="chat-disclosure" aria-hidden="true" />
      </summary>
      <ul>
        {messages.map((message) => (
          <li key={message.messageId} data-failed={message.failure !== null || undefined}>
            <span className="min-w-0 flex-1">
              <span className="block text-muted text-sm">
                {message.failure
                  ? t(`chat:scheduled.failure.${message.failure}`)
                  : t('chat:scheduled.sendAt', { time: formatDateTime(message.sendAt, timeZone, locale) })}
              </span>
              {message.reply && (
                <span className="block truncate text-muted text-sm">
                  {t('chat:composer.reply', { name: message.reply.author })}{' '}
                  {messagePlainText(message.reply.body) || t('chat:message.deleted')}
                </span>
              )}
              <span className="block truncate">{contentsOf(message, t)}</span>
            </span>
            {message.failure === 'unverified' && (
              <Button small onClick={() => void scheduled.release(message)}>
                {t('chat:scheduled.release')}
              </Button>
            )}
            <Button small tone="quiet" onClick={() => setEdited(message)}>
              {t('chat:scheduled.edit')}
            </Button>
            <Button small tone="quiet" onClick={() => void scheduled.cancel(message)}>
              {t('chat:scheduled.cancel')}
            </Button>
          </li>
        ))}
      </ul>
      {edited && (
        <ScheduleDialog
          title={t('chat:scheduled.editTitle')}
          body={edited.body}
          files={edited.files.map(({ id: key, name }) => ({ key, name, state: 'ready', progress: 1, error: '' }))}
          onRemoveFile={(key) => setEdited({ ...edited, files: edited.files.filter(({ id }) => id !== key) })}
          sendAt={edited.sendAt}
          timeZone={timeZone}
          locale={locale}
          onSave={(input) => api.chat.editScheduled({ messageId: edited.messageId, fileIds, ...input }, QUIET_CALL)}
          onSaved={scheduled.replace}
          onClose={() => setEdited(null)}
          t={t}
        />
      )}
    </details>
  )
}

/** The text of a planned message, otherwise its files. */
const contentsOf = ({ body, isVoice, files }: ScheduledMessage, t: Translate): string =>
  [messagePlainText(body), isVoice ? t('chat:files.voice') : files.map(({ name }) => name).join(', ')]
    .filter(Boolean)
    .join(' · ')
