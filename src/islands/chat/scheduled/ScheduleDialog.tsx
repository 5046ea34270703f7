import { useState } from 'react'
import { DateField } from '#islands/field/DateField.tsx'
import { CallError } from '#islands/stores/call-error.ts'
import { ActionDialog } from '#islands/ui/dialog/ActionDialog.tsx'
import { TextArea } from '#islands/ui/Field.tsx'
import { MESSAGE_LIMIT } from '#lib/chat/schema.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { instantOf, isoWithOffset } from '#lib/core/shared/time-zone.ts'
import type { ScheduledMessage } from '../chat-props.ts'
import { AddedFiles } from '../composer/AddedFiles.tsx'
import type { MessageFile } from '../composer/use-message-files.ts'

interface Props {
  title: string
  body: string
  /** The files of the message. */
  files: readonly MessageFile[]
  onRemoveFile(key: string): void
  /** The planned time of a message that is changed. */
  sendAt: string | null
  timeZone: string
  locale: Locale
  /** Rejects when it was refused; the dialog stays open then. */
  onSave(input: { body: string; sendAt: string }): Promise<ScheduledMessage>
  onSaved(message: ScheduledMessage): void
  onClose(): void
  t: Translate
}

/** Asks for the time at which a message is sent, and shows its text and files. */
export function ScheduleDialog(props: Props) {
  const { title, files, onRemoveFile, sendAt, timeZone, locale, onSave, onSaved, onClose, t, ...initial } = props
  const [body, setBody] = useState(initial.body)
  const [at, setAt] = useState(() => (sendAt ? isoWithOffset(new Date(sendAt), timeZone).slice(0, 16) : ''))
  const [errors, setErrors] = useState<{ at?: string; body?: string; form?: string }>({})
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    const [day, time] = at.split('T')
    if (!day || !time) return setErrors({ at: t('chat:scheduled.choose') })
    if (files.some(({ state }) => state !== 'ready')) return setErrors({ form: t('chat:files.waiting') })
    setBusy(true)
    setErrors({})
    try {
      onSaved(await onSave({ body, sendAt: instantOf(day, time, timeZone).toISOString() }))
      onClose()
    } catch (failure) {
      const { code, message, fields } = CallError.from(failure)
      if (code === 'not_found') return setErrors({ form: t('chat:scheduled.gone') })
      const [atError, bodyError] = [fields.sendAt?.[0], fields.body?.[0]]
      setErrors({
        ...(atError && { at: atError }),
        ...(bodyError && { body: bodyError }),
        ...(!(atError || bodyError) && { form: fields.file?.[0] || message || t('chat:scheduled.failed') }),
      })
    } finally {
      setBusy(false)
    }
  }
  return (
    <ActionDialog
      title={title}
      text={t('chat:scheduled.text')}
      cancelLabel={t('chat:delete.cancel')}
      actionLabel={t('chat:scheduled.save')}
      isBusy={isBusy}
      error={errors.form}
      onAction={() => void save()}
      onClose={onClose}
    >
      <DateField
        label={t('chat:scheduled.at')}
        kind="datetime"
        locale={locale}
        zone={timeZone}
        value={at}
        error={errors.at}
        required
        onChange={setAt}
      />
      <TextArea
        label={t('chat:composer.label')}
        maxLength={MESSAGE_LIMIT}
        value={body}
        error={errors.body}
        onChange={({ target }) => setBody(target.value)}
      />
      <AddedFiles items={files} refused={[]} onRemove={onRemoveFile} locale={locale} t={t} />
    </ActionDialog>
  )
}
