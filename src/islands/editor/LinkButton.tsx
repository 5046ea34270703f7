import type { Editor } from '@tiptap/react'
import { Link } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import { Dialog } from '#islands/ui/dialog/Dialog.tsx'
import { Field } from '#islands/ui/Field.tsx'
import { isSafeHref } from '#lib/core/shared/lesson-doc.ts'
import { useEditorContext } from './editor-context.ts'
import { normalizeAddress } from './link-address.ts'

interface Props {
  editor: Editor
  tab: { tabIndex: number; onFocus: () => void }
}

/** Links the selected text. A bare `example.com` gets https. */
export function LinkButton({ editor, tab }: Props) {
  const { t } = useEditorContext()
  const [open, setOpen] = useState(false)
  const [href, setHref] = useState('')
  const address = normalizeAddress(href)
  const [isSubmitted, setIsSubmitted] = useState(false)
  const isLinked = editor.isActive('link')
  const setDialogOpen = (next: boolean) => {
    setIsSubmitted(false)
    if (next) setHref(String(editor.getAttributes('link').href ?? ''))
    setOpen(next)
  }
  const apply = (event: { preventDefault(): void }) => {
    event.preventDefault()
    if (!isSafeHref(address)) return setIsSubmitted(true)
    setOpen(false)
    const chain = editor.chain().focus().extendMarkRange('link')
    if (editor.state.selection.empty && !isLinked) {
      chain.insertContent({ type: 'text', text: address, marks: [{ type: 'link', attrs: { href: address } }] }).run()
    } else chain.setLink({ href: address }).run()
  }
  const remove = () => {
    setOpen(false)
    editor.chain().focus().extendMarkRange('link').unsetLink().run()
  }
  return (
    <>
      <button
        type="button"
        className="btn btn-ghost btn-sm btn-square"
        aria-label={t('editor:toolbar.link')}
        title={t('editor:toolbar.link')}
        aria-pressed={isLinked}
        onClick={() => setDialogOpen(true)}
        {...tab}
      >
        <Link size={18} strokeWidth={1.75} aria-hidden="true" />
      </button>
      <Dialog
        title={t('editor:toolbar.link')}
        open={open}
        onOpenChange={setDialogOpen}
        closeLabel={t('shell:button.cancel')}
        actions={(close) => (
          <>
            {isLinked && (
              <Button tone="quiet" onClick={remove}>
                {t('editor:toolbar.unlink')}
              </Button>
            )}
            {close}
            <Button tone="primary" type="submit" form="lesson-link">
              {t('editor:toolbar.apply')}
            </Button>
          </>
        )}
      >
        <form id="lesson-link" onSubmit={apply} noValidate>
          <Field
            label={t('editor:toolbar.linkAddress')}
            inputMode="url"
            value={href}
            placeholder="https://"
            error={isSubmitted && !isSafeHref(address) ? t('editor:link.wrong') : undefined}
            onChange={(event) => setHref(event.target.value)}
          />
        </form>
      </Dialog>
    </>
  )
}
