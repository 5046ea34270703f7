import type { FormEvent, TextareaHTMLAttributes } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import { TextArea } from '#islands/ui/Field.tsx'
import { formatRelativeDateTime, type Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { SUBMISSION_MESSAGE_LIMIT } from '#lib/homework/submission/schema.ts'

/** A message as the page loads it or the API returns it. */
export interface ThreadMessage {
  id: string
  body: string
  at: Date | string
  author: string
  isMine: boolean
  isFromStudent: boolean
  readAt: Date | string | null
}

interface Props {
  taskId: string
  messages: readonly ThreadMessage[]
  /** Value and handlers of the text field. */
  field?: TextareaHTMLAttributes<HTMLTextAreaElement>
  error?: string
  isBusy?: boolean
  onSubmit?: (event: FormEvent) => void
  timeZone: string
  locale: Locale
  /** Translates `homework:conversation.`. */
  t: Translate
}

/** The messages about a task and the form of the next one. The lesson page renders it; its form works without scripts. */
export function MessageThread({
  taskId,
  messages,
  field,
  error,
  isBusy = false,
  onSubmit,
  timeZone,
  locale,
  t,
}: Props) {
  return (
    <div className="grid gap-4">
      <p className="text-muted text-sm">{t('homework:conversation.hint')}</p>
      {messages.length === 0 && <p className="text-muted">{t('homework:conversation.none')}</p>}
      <ol className="homework-conversation" aria-live="polite">
        {messages.map(({ id, author, isMine, isFromStudent, body, at, readAt }) => (
          <li key={id} className={isMine ? 'is-mine' : undefined}>
            <p className="text-muted text-sm">
              <strong>{isMine ? t('homework:conversation.you') : author}</strong>
              {!isMine && !isFromStudent && ` (${t('homework:conversation.school')})`} ·{' '}
              {formatRelativeDateTime(at, timeZone, locale)}
              {isMine && readAt && ` · ${t('homework:conversation.read')}`}
            </p>
            <p className="homework-text">{body}</p>
          </li>
        ))}
      </ol>
      <form method="post" className="grid gap-2" onSubmit={onSubmit}>
        <input type="hidden" name="intent" value="sendHomeworkMessage" />
        <input type="hidden" name="taskId" value={taskId} />
        <TextArea
          name="body"
          label={t('homework:conversation.write')}
          error={error || undefined}
          rows={2}
          maxLength={SUBMISSION_MESSAGE_LIMIT}
          {...field}
        />
        <div>
          <Button type="submit" small busy={isBusy}>
            {t('homework:conversation.send')}
          </Button>
        </div>
      </form>
    </div>
  )
}
