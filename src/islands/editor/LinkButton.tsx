import type { Editor } from '@tiptap/react'
import { Link } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import { Dialog } from '#islands/ui/Dialog.tsx'
import { Field } from '#islands/ui/Field.tsx'
import { isSafeHref } from '#lib/core/shared/lesson-doc.ts'
import { useDesk } from './desk.ts'
import { addressOf } from './link-address.ts'

interface Props {
  editor: Editor
  tab: { tabIndex: number; onFocus: () => void }
}

/** Ties the selected words to an address. A bare `example.com` is meant as https. */
export function LinkButton({ editor, tab }: Props) {
  const { say } = useDesk()
  const [open, setOpen] = useState(false)
  const [href, setHref] = useState('')
  const address = addressOf(href)
  const [tried, setTried] = useState(false)
  const linked = editor.isActive('link')
  const change = (next: boolean) => {
    setTried(false)
    if (next) setHref(String(editor.getAttributes('link').href ?? ''))
    setOpen(next)
  }
  const apply = (event: { preventDefault(): void }) => {
    event.preventDefault()
    if (!isSafeHref(address)) return setTried(true)
    setOpen(false)
    const words = editor.chain().focus().extendMarkRange('link')
    if (editor.state.selection.empty && !linked) {
      words.insertContent({ type: 'text', text: address, marks: [{ type: 'link', attrs: { href: address } }] }).run()
    } else words.setLink({ href: address }).run()
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
        aria-label={say('editor:toolbar.link')}
        title={say('editor:toolbar.link')}
        aria-pressed={linked}
        onClick={() => change(true)}
        {...tab}
      >
        <Link size={18} strokeWidth={1.75} aria-hidden="true" />
      </button>
      <Dialog
        title={say('editor:toolbar.link')}
        open={open}
        onOpenChange={change}
        closeLabel={say('shell:button.cancel')}
        actions={(close) => (
          <>
            {linked && (
              <Button tone="quiet" onClick={remove}>
                {say('editor:toolbar.unlink')}
              </Button>
            )}
            {close}
            <Button tone="primary" type="submit" form="lesson-link">
              {say('editor:toolbar.apply')}
            </Button>
          </>
        )}
      >
        <form id="lesson-link" onSubmit={apply} noValidate>
          <Field
            label={say('editor:toolbar.linkAddress')}
            inputMode="url"
            value={href}
            placeholder="https://"
            error={tried && !isSafeHref(address) ? say('editor:link.wrong') : undefined}
            onChange={(event) => setHref(event.target.value)}
          />
        </form>
      </Dialog>
    </>
  )
}
