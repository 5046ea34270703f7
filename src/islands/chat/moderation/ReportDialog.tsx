import { useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { ActionDialog } from '#islands/ui/dialog/ActionDialog.tsx'
import { TextArea } from '#islands/ui/Field.tsx'
import { REPORT_NOTE_LIMIT, REPORT_REASONS, type ReportReason } from '#lib/chat/moderation/schema.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { type ConversationMessage, QUIET_CALL } from '../chat-props.ts'
import { useDialogRequest } from '../use-dialog-request.ts'

interface Props {
  conversationId: string
  message: ConversationMessage
  onClose(): void
  t: Translate
}

/** Reports a message to the staff, with a reason. */
export function ReportDialog({ conversationId, message, onClose, t }: Props) {
  const [reason, setReason] = useState<ReportReason | null>(null)
  const [note, setNote] = useState('')
  const { error, setError, isBusy, sendRequest } = useDialogRequest({
    successText: t('chat:report.sent'),
    failureText: t('chat:report.failed'),
    onClose,
  })
  const send = () => {
    if (!reason) return setError(t('chat:report.choose'))
    void sendRequest(() => api.chat.reportMessage({ conversationId, seq: message.seq, reason, note }, QUIET_CALL))
  }
  return (
    <ActionDialog
      title={t('chat:report.title')}
      text={t('chat:report.text')}
      cancelLabel={t('chat:delete.cancel')}
      actionLabel={t('chat:report.send')}
      isBusy={isBusy}
      error={error}
      onAction={send}
      onClose={onClose}
    >
      <fieldset className="grid gap-2">
        <legend className="field-label mb-2">{t('chat:report.reason')}</legend>
        {REPORT_REASONS.map((each) => (
          <label key={each} className="flex items-center gap-2">
            <input
              type="radio"
              name="report-reason"
              className="radio radio-sm"
              checked={reason === each}
              onChange={() => {
                setReason(each)
                setError(null)
              }}
            />
            {t(`chat:report.reasons.${each}`)}
          </label>
        ))}
      </fieldset>
      <TextArea
        label={t('chat:report.note')}
        maxLength={REPORT_NOTE_LIMIT}
        value={note}
        onChange={({ target }) => setNote(target.value)}
      />
    </ActionDialog>
  )
}
