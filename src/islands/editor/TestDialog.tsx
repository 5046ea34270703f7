import { useEffect, useState } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import { Dialog } from '#islands/ui/dialog/Dialog.tsx'
import { Select } from '#islands/ui/Select.tsx'
import { type TestChoice, useEditorContext } from './editor-context.ts'

interface Props {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The test of the block. */
  testId: string | null
  onPick: (testId: string) => void
}

type Choices = TestChoice[] | 'loading' | 'failed'

/** Dialog that selects the test of a block. */
export function TestDialog({ open, onOpenChange, testId, onPick }: Props) {
  const { t, lesson } = useEditorContext()
  const [chosen, setChosen] = useState('')
  const [isMissing, setIsMissing] = useState(false)
  const choices = useTests(open)
  const value = chosen || testId || ''
  const setDialogOpen = (next: boolean) => {
    setChosen('')
    setIsMissing(false)
    onOpenChange(next)
  }
  const pick = (event: { preventDefault(): void }) => {
    event.preventDefault()
    if (!value) return setIsMissing(true)
    setDialogOpen(false)
    onPick(value)
  }
  const isReady = Array.isArray(choices) && choices.length > 0
  return (
    <Dialog
      title={t('editor:test.choose')}
      open={open}
      onOpenChange={setDialogOpen}
      closeLabel={t('shell:button.cancel')}
      actions={(close) => (
        <>
          {close}
          {isReady && (
            <Button tone="primary" type="submit" form="block-test">
              {t('editor:insert')}
            </Button>
          )}
        </>
      )}
    >
      {choices === 'loading' && <div className="skeleton-line h-16" />}
      {choices === 'failed' && <p role="alert">{t('editor:test.failed')}</p>}
      {isReady && (
        <form id="block-test" onSubmit={pick} noValidate>
          <Select
            label={t('editor:test.label')}
            placeholder={t('editor:test.none')}
            error={isMissing ? t('editor:test.required') : undefined}
            options={choices.map(({ id, title, isOffered }) => ({
              value: id,
              label: isOffered ? title : t('editor:test.notOffered', { title }),
            }))}
            value={value}
            onChange={({ target }) => setChosen(target.value)}
          />
        </form>
      )}
      {Array.isArray(choices) && choices.length === 0 && <p>{t('editor:test.empty')}</p>}
      {Array.isArray(choices) && lesson && (
        <p className="mt-4 text-sm">
          <a href={lesson.testsHref} target="_blank" rel="noopener" className="still-link">
            {t('editor:test.create')}
          </a>
        </p>
      )}
    </Dialog>
  )
}

/** The tests of the course, loaded again each time the dialog opens. */
function useTests(open: boolean): Choices {
  const { lesson } = useEditorContext()
  const [choices, setChoices] = useState<Choices>('loading')
  useEffect(() => {
    if (!open || !lesson) return
    let isClosed = false
    setChoices('loading')
    lesson.listTests().then(
      (tests) => !isClosed && setChoices(tests),
      () => !isClosed && setChoices('failed'),
    )
    return () => {
      isClosed = true
    }
  }, [open, lesson])
  return choices
}
