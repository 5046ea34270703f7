import type { Editor } from '@tiptap/react'
import { useState } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import { Dialog } from '#islands/ui/Dialog.tsx'
import { Field } from '#islands/ui/Field.tsx'
import { isSafeHref } from '#lib/core/shared/lesson-doc.ts'
import { insertBlock } from './blocks/block-acts.ts'
import { useDesk } from './desk.ts'
import { addressOf } from './link-address.ts'

interface Props {
  editor: Editor
  open: boolean
  onOpenChange: (open: boolean) => void
}

export function AskButton({ editor, open, onOpenChange }: Props) {
  const { say } = useDesk()
  const [label, setLabel] = useState('')
  const [href, setHref] = useState('')
  const [tried, setTried] = useState(false)
  const change = (next: boolean) => {
    setLabel('')
    setHref('')
    setTried(false)
    onOpenChange(next)
  }
  const address = addressOf(href)
  const add = (event: { preventDefault(): void }) => {
    event.preventDefault()
    if (!label.trim() || !isSafeHref(address)) return setTried(true)
    change(false)
    insertBlock(editor, { type: 'button', attrs: { label: label.trim(), href: address } })
  }
  return (
    <Dialog
      title={say('editor:block.button')}
      open={open}
      onOpenChange={change}
      closeLabel={say('shell:button.cancel')}
      actions={(close) => (
        <>
          {close}
          <Button tone="primary" type="submit" form="block-button">
            {say('editor:insert')}
          </Button>
        </>
      )}
    >
      <form id="block-button" className="grid gap-4" onSubmit={add} noValidate>
        <Field
          label={say('editor:button.label')}
          maxLength={80}
          value={label}
          error={tried && !label.trim() ? say('editor:button.noLabel') : undefined}
          onChange={(event) => setLabel(event.target.value)}
        />
        <Field
          label={say('editor:button.href')}
          inputMode="url"
          placeholder="https://"
          value={href}
          error={tried && !isSafeHref(address) ? say('editor:link.wrong') : undefined}
          onChange={(event) => setHref(event.target.value)}
        />
      </form>
    </Dialog>
  )
}
