import { Button } from '#islands/ui/Button.tsx'
import { Dialog } from '#islands/ui/dialog/Dialog.tsx'
import type { Translate } from '#lib/core/shared/text/strings.ts'

interface Props {
  onDiscard: () => Promise<void>
  t: Translate
}

/** Discards the draft's changes; the draft stays in the revisions. */
export function DiscardButton({ onDiscard, t }: Props) {
  return (
    <Dialog
      title={t('course:lesson.discardTitle')}
      text={t('course:lesson.discardText')}
      trigger={<Button small>{t('course:lesson.discard')}</Button>}
      closeLabel={t('shell:button.cancel')}
      actions={(close) => (
        <>
          {close}
          <Button tone="danger" onClick={() => void onDiscard()}>
            {t('course:lesson.discard')}
          </Button>
        </>
      )}
    />
  )
}
