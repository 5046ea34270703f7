import type { Editor } from '@tiptap/react'
import { useState } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import { Dialog } from '#islands/ui/Dialog.tsx'
import { Field } from '#islands/ui/Field.tsx'
import { insertBlock } from './blocks/block-acts.ts'
import { useDesk } from './desk.ts'
import { embedIn } from './paste/paste.ts'

interface Props {
  editor: Editor
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** The address of something that another site shows, or the frame's code that it offers. */
export function AskEmbed({ editor, open, onOpenChange }: Props) {
  const { say } = useDesk()
  const [address, setAddress] = useState('')
  const [wrong, setWrong] = useState(false)
  const change = (next: boolean) => {
    setAddress('')
    setWrong(false)
    onOpenChange(next)
  }
  const add = (event: { preventDefault(): void }) => {
    event.preventDefault()
    const found = embedIn(address)
    if (!found) return setWrong(true)
    change(false)
    insertBlock(editor, { type: 'embed', attrs: { url: found.url, title: '' } })
  }
  return (
    <Dialog
      title={say('editor:block.embed')}
      open={open}
      onOpenChange={change}
      closeLabel={say('shell:button.cancel')}
      actions={(close) => (
        <>
          {close}
          <Button tone="primary" type="submit" form="block-embed">
            {say('editor:insert')}
          </Button>
        </>
      )}
    >
      <form id="block-embed" onSubmit={add} noValidate>
        <Field
          label={say('editor:embed.address')}
          hint={say('editor:embed.hint')}
          error={wrong ? say('editor:embed.wrong') : undefined}
          inputMode="url"
          value={address}
          onChange={(event) => setAddress(event.target.value)}
        />
      </form>
    </Dialog>
  )
}
