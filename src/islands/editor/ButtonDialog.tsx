import type { Editor } from '@tiptap/react'
import { useState } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import { Dialog } from '#islands/ui/dialog/Dialog.tsx'
import { Field } from '#islands/ui/Field.tsx'
import { isSafeHref } from '#lib/core/shared/lesson-doc.ts'
import { insertBlock } from './blocks/block-commands.ts'
import { useEditorContext } from './editor-context.ts'
import { normalizeAddress } from './link-address.ts'

interface Props {
  editor: Editor
  open: boolean
  onOpenChange: (open: boolean) => void
}

export function ButtonDialog({ editor, open, onOpenChange }: Props) {
  const { t } = useEditorContext()
  const [label, setLabel] = useState('')
  const [href, setHref] = useState('')
  const [isSubmitted, setIsSubmitted] = useState(false)
  const setDialogOpen = (next: boolean) => {
    setLabel('')
    setHref('')
    setIsSubmitted(false)
    onOpenChange(next)
  }
  const address = normalizeAddress(href)
  const insertButton = (event: { preventDefault(): void }) => {
    event.preventDefault()
    if (!label.trim() || !isSafeHref(address)) return setIsSubmitted(true)
    setDialogOpen(false)
    insertBlock(editor, { type: 'button', attrs: { label: label.trim(), href: address } })
  }
  return (
    <Dialog
      title={t('editor:block.button')}
      open={open}
      onOpenChange={setDialogOpen}
      closeLabel={t('shell:button.cancel')}
      actions={(close) => (
        <>
          {close}
          <Button tone="primary" type="submit" form="block-button">
            {t('editor:insert')}
          </Button>
        </>
      )}
    >
      <form id="block-button" className="grid gap-4" onSubmit={insertButton} noValidate>
        <Field
          label={t('editor:button.label')}
          maxLength={80}
          value={label}
          error={isSubmitted && !label.trim() ? t('editor:button.noLabel') : undefined}
          onChange={(event) => setLabel(event.target.value)}
        />
        <Field
          label={t('editor:button.href')}
          inputMode="url"
          placeholder="https://"
          value={href}
          error={isSubmitted && !isSafeHref(address) ? t('editor:link.wrong') : undefined}
          onChange={(event) => setHref(event.target.value)}
        />
      </form>
    </Dialog>
  )
}
