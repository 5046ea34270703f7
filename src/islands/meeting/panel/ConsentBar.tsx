import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import { Dialog } from '#islands/ui/dialog/Dialog.tsx'
import type { MentoringRoomView } from '#lib/meeting/room-schema.ts'
import { $consent, roomApi } from '../room.ts'
import { showError } from '../stage/show-error.ts'
import { useTranslation } from '../translation.ts'

/**
 * Consent to the recording of a session with a mentor: one person proposes it, the others are asked at once, and each may
 * withdraw it later.
 */
export function ConsentBar({ mentoring }: { mentoring: MentoringRoomView }) {
  const { t, locale } = useTranslation()
  const { people, isRecorded } = useStore($consent) ?? mentoring.consent
  const [isBusy, setIsBusy] = useState(false)
  const [declined, setDeclined] = useState('')
  const hasAgreed = people.some(({ memberId, hasAgreed }) => memberId === mentoring.memberId && hasAgreed)
  const others = people.filter(({ memberId }) => memberId !== mentoring.memberId)
  const proposers = others.filter((person) => person.hasAgreed).map(({ name }) => name)
  const list = new Intl.ListFormat(locale)
  const names = list.format(proposers)
  const missing = list.format(others.filter((person) => !person.hasAgreed).map(({ name }) => name))
  const change = (agrees: boolean) => {
    setIsBusy(true)
    void roomApi
      .setRecordingConsent({ agrees })
      .catch(showError)
      .finally(() => setIsBusy(false))
  }
  if (hasAgreed)
    return (
      <section
        className="consent"
        data-consent={isRecorded ? 'recorded' : 'waiting'}
        aria-label={t('stage:consent.label')}
      >
        <p role="status">{isRecorded ? t('stage:consent.recorded') : t('stage:consent.waiting', { names: missing })}</p>
        <WithdrawButton isBusy={isBusy} onConfirm={() => change(false)} />
      </section>
    )
  if (proposers.length > 0 && declined !== names)
    return (
      <section className="consent" data-consent="asked" aria-label={t('stage:consent.label')}>
        <p role="alert">{t('stage:consent.asked', { names })}</p>
        <p className="text-muted">{t('stage:consent.about')}</p>
        <Button small tone="primary" busy={isBusy} onClick={() => change(true)}>
          {t('stage:consent.agree')}
        </Button>
        <Button small onClick={() => setDeclined(names)}>
          {t('stage:consent.decline')}
        </Button>
      </section>
    )
  return (
    <section className="consent" data-consent="none" aria-label={t('stage:consent.label')}>
      <p role="status">{t('stage:consent.none')}</p>
      <Button small busy={isBusy} onClick={() => change(true)}>
        {t(proposers.length > 0 ? 'stage:consent.agree' : 'stage:consent.propose')}
      </Button>
    </section>
  )
}

/** A withdrawal deletes what was recorded, so it is confirmed. */
function WithdrawButton({ isBusy, onConfirm }: { isBusy: boolean; onConfirm: () => void }) {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Dialog
      open={isOpen}
      onOpenChange={setIsOpen}
      trigger={
        <Button small busy={isBusy}>
          {t('stage:consent.withdraw')}
        </Button>
      }
      title={t('stage:consent.withdrawTitle')}
      text={t('stage:consent.withdrawText')}
      closeLabel={t('stage:cancel')}
      actions={(close) => (
        <>
          {close}
          <Button
            tone="danger"
            onClick={() => {
              setIsOpen(false)
              onConfirm()
            }}
          >
            {t('stage:consent.withdraw')}
          </Button>
        </>
      )}
    />
  )
}
