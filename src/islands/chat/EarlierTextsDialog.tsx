import { useEffect, useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { Dialog } from '#islands/ui/dialog/Dialog.tsx'
import { formatRelativeDateTime } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { type ConversationMessage, type ConversationReader, QUIET_CALL } from './chat-props.ts'
import { MessageBody } from './MessageBody.tsx'

type Edits = Awaited<ReturnType<typeof api.chat.listEdits>>['edits']

interface Props {
  conversationId: string
  message: ConversationMessage
  reader: ConversationReader
  onClose(): void
  t: Translate
}

/** The earlier texts of an edited message, the latest first. */
export function EarlierTextsDialog({ conversationId, message, reader, onClose, t }: Props) {
  const [edits, setEdits] = useState<Edits | null>(null)
  const [error, setError] = useState<string | null>(null)
  const { seq } = message
  useEffect(() => {
    api.chat.listEdits({ conversationId, seq }, QUIET_CALL).then(
      (loaded) => setEdits(loaded.edits),
      (failure) => setError(CallError.from(failure).message || t('chat:edits.failed')),
    )
  }, [conversationId, seq, t])
  return (
    <Dialog
      title={t('chat:edits.title')}
      text={t('chat:edits.text')}
      open
      onOpenChange={(open) => !open && onClose()}
      closeLabel={t('chat:edits.close')}
    >
      <ol className="grid gap-4" aria-label={t('chat:edits.title')}>
        {edits?.map(({ body, replacedAt }) => (
          <li key={replacedAt}>
            <p className="text-muted text-sm">
              {t('chat:edits.replaced', { time: formatRelativeDateTime(replacedAt, reader.timeZone, reader.locale) })}
            </p>
            <MessageBody body={body} t={t} />
          </li>
        ))}
      </ol>
      {error && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
    </Dialog>
  )
}
