import { useStore } from '@nanostores/react'
import { type FormEvent, useState } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import { Dialog } from '#islands/ui/dialog/Dialog.tsx'
import { TextArea } from '#islands/ui/Field.tsx'
import { REASON_LIMIT } from '#lib/meeting/chat/schema.ts'
import { $banTarget, banParticipant } from '../chat/chat-ban.ts'
import { showError } from '../stage/show-error.ts'
import { useTranslation } from '../translation.ts'

/** Asks for the reason of a ban; the reason is written to the event log. */
export function BanDialog() {
  const participant = useStore($banTarget)
  return participant && <BanForm key={participant.personId} participant={participant} />
}

function BanForm({ participant }: { participant: { personId: string; name: string } }) {
  const { t } = useTranslation()
  const [reason, setReason] = useState('')
  const [missing, setMissing] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (reason.trim() === '') return setMissing(true)
    $banTarget.set(null)
    banParticipant(participant, reason, t).catch(showError)
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && $banTarget.set(null)}
      title={t('meeting:ban.title', { name: participant.name })}
      text={t('meeting:ban.text')}
      closeLabel={t('stage:cancel')}
      actions={(close) => (
        <>
          {close}
          <Button type="submit" form="ban" tone="danger">
            {t('meeting:ban.do')}
          </Button>
        </>
      )}
    >
      <form id="ban" onSubmit={submit} noValidate>
        <TextArea
          label={t('meeting:ban.reason')}
          value={reason}
          rows={2}
          maxLength={REASON_LIMIT}
          error={missing ? t('meeting:ban.missing') : undefined}
          onChange={({ target }) => {
            setReason(target.value)
            setMissing(false)
          }}
        />
      </form>
    </Dialog>
  )
}
