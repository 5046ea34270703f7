import { useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { showSuccess } from '#islands/stores/notice.ts'
import { Button } from '#islands/ui/Button.tsx'
import { Dialog } from '#islands/ui/Dialog.tsx'
import { TextArea } from '#islands/ui/Field.tsx'
import { REPORT_NOTE_LIMIT, REPORT_REASONS, type ReportReason } from '#lib/chat/moderation/schema.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { type ConversationMessage, QUIET_CALL } from '../chat-props.ts'

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
  const [error, setError] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const send = async () => {
    if (!reason) return setError(t('chat:report.choose'))
    setBusy(true)
    try {
      await api.chat.reportMessage({ conversationId, seq: message.seq, reason, note }, QUIET_CALL)
      showSuccess(t('chat:report.sent'))
      onClose()
    } catch (failure) {
      setError(CallError.from(failure).message || t('chat:report.failed'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={t('chat:report.title')}
      text={t('chat:report.text')}
      open
      onOpenChange={(open) => !open && onClose()}
      closeLabel={t('chat:delete.cancel')}
      actions={(close) => (
        <>
          {close}
          <Button tone="primary" busy={isBusy} onClick={() => void send()}>
            {t('chat:report.send')}
          </Button>
        </>
      )}
    >
      <div className="grid gap-4">
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
        {error && (
          <p className="field-error" role="alert">
            {error}
          </p>
        )}
      </div>
    </Dialog>
  )
}
