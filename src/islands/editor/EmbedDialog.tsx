import type { Editor } from '@tiptap/react'
import { useState } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import { Dialog } from '#islands/ui/dialog/Dialog.tsx'
import { Field } from '#islands/ui/Field.tsx'
import { insertBlock } from './blocks/block-commands.ts'
import { useEditorContext } from './editor-context.ts'
import { parsePastedEmbed } from './paste/paste.ts'

interface Props {
  editor: Editor
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Requests the URL or the embed code of another site. */
export function EmbedDialog({ editor, open, onOpenChange }: Props) {
  const { t } = useEditorContext()
  const [address, setAddress] = useState('')
  const [isInvalid, setIsInvalid] = useState(false)
  const setDialogOpen = (next: boolean) => {
    setAddress('')
    setIsInvalid(false)
    onOpenChange(next)
  }
  const insertEmbed = (event: { preventDefault(): void }) => {
    event.preventDefault()
    const embed = parsePastedEmbed(address)
    if (!embed) return setIsInvalid(true)
    setDialogOpen(false)
    insertBlock(editor, { type: 'embed', attrs: { url: embed.url, title: '' } })
  }
  return (
    <Dialog
      title={t('editor:block.embed')}
      open={open}
      onOpenChange={setDialogOpen}
      closeLabel={t('shell:button.cancel')}
      actions={(close) => (
        <>
          {close}
          <Button tone="primary" type="submit" form="block-embed">
            {t('editor:insert')}
          </Button>
        </>
      )}
    >
      <form id="block-embed" onSubmit={insertEmbed} noValidate>
        <Field
          label={t('editor:embed.address')}
          hint={t('editor:embed.hint')}
          error={isInvalid ? t('editor:embed.wrong') : undefined}
          inputMode="url"
          value={address}
          onChange={(event) => setAddress(event.target.value)}
        />
      </form>
    </Dialog>
  )
}
