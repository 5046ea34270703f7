import { ImagePlus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import { Dialog } from '#islands/ui/Dialog.tsx'
import { Field } from '#islands/ui/Field.tsx'
import type { Say } from '#lib/core/shared/strings.ts'

interface Props {
  say: Say
  onImage: (file: File, alt: string) => Promise<void>
  tab: { tabIndex: number; onFocus: () => void }
}

/** A picture with its description, asked for together: later nobody comes back to describe it. */
export function ImageButton({ say, onImage, tab }: Props) {
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const add = async (event: { preventDefault(): void; currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const file = form.get('file')
    if (!(file instanceof File) || file.size === 0) return
    setBusy(true)
    await onImage(file, String(form.get('alt') ?? '').trim())
    setBusy(false)
    setOpen(false)
  }
  return (
    <>
      <button
        type="button"
        className="btn btn-ghost btn-sm btn-square"
        aria-label={say('course:toolbar.image')}
        title={say('course:toolbar.image')}
        onClick={() => setOpen(true)}
        {...tab}
      >
        <ImagePlus size={18} strokeWidth={1.75} aria-hidden="true" />
      </button>
      <Dialog
        title={say('course:toolbar.image')}
        open={open}
        onOpenChange={setOpen}
        closeLabel={say('shell:button.cancel')}
        actions={(close) => (
          <>
            {close}
            <Button tone="primary" type="submit" form="lesson-image" busy={busy}>
              {say('course:toolbar.apply')}
            </Button>
          </>
        )}
      >
        <form id="lesson-image" className="grid gap-4" onSubmit={(event) => void add(event)}>
          <input
            type="file"
            name="file"
            required
            accept="image/png,image/jpeg,image/webp,image/gif,image/avif"
            className="file-input w-full"
            aria-label={say('course:toolbar.image')}
          />
          <Field label={say('course:toolbar.imageAlt')} name="alt" maxLength={500} />
        </form>
      </Dialog>
    </>
  )
}
