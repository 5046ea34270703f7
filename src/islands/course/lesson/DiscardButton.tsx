import { Button } from '#islands/ui/Button.tsx'
import { Dialog } from '#islands/ui/Dialog.tsx'
import type { Say } from '#lib/core/shared/text/strings.ts'

interface Props {
  onDiscard: () => Promise<void>
  say: Say
}

/** Back to what students read; the draft stays among the earlier texts. */
export function DiscardButton({ onDiscard, say }: Props) {
  return (
    <Dialog
      title={say('course:lesson.discardTitle')}
      text={say('course:lesson.discardText')}
      trigger={<Button small>{say('course:lesson.discard')}</Button>}
      closeLabel={say('shell:button.cancel')}
      actions={(close) => (
        <>
          {close}
          <Button tone="danger" onClick={() => void onDiscard()}>
            {say('course:lesson.discard')}
          </Button>
        </>
      )}
    />
  )
}
