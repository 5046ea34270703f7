import { api } from '#islands/stores/api.ts'
import { refreshPage } from '#islands/stores/page.ts'
import { Button } from '#islands/ui/Button.tsx'
import { Dialog } from '#islands/ui/Dialog.tsx'
import type { Say } from '#lib/core/shared/strings.ts'

interface Props {
  lessonId: string
  say: Say
}

/** Back to what students read; the page comes again, so that nothing of the other text is left in it. */
export function DiscardButton({ lessonId, say }: Props) {
  const discard = async () => {
    await api.course.discardLesson({ lessonId })
    refreshPage()
  }
  return (
    <Dialog
      title={say('course:lesson.discardTitle')}
      text={say('course:lesson.discardText')}
      trigger={<Button small>{say('course:lesson.discard')}</Button>}
      closeLabel={say('shell:button.cancel')}
      actions={(close) => (
        <>
          {close}
          <Button tone="danger" onClick={() => void discard()}>
            {say('course:lesson.discard')}
          </Button>
        </>
      )}
    />
  )
}
