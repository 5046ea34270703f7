import { useId, useState } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import { FieldFrame } from '#islands/ui/Field.tsx'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { FilePicker } from './FilePicker.tsx'

interface Props {
  label: string
  chooseLabel: string
  removeLabel: string
  /** Text without a chosen image. */
  none: string
  fileId: string | null
  /** Name of the image at page load, where it is shown. */
  name?: string | null
  onChange: (fileId: string | null) => void
  locale: Locale
  t: Translate
}

/** An image of the storage. */
export function ImageField({ label, chooseLabel, removeLabel, none, fileId, name, onChange, locale, t }: Props) {
  const [open, setOpen] = useState(false)
  const [chosenName, setChosenName] = useState(name)
  const id = useId()
  return (
    <FieldFrame id={id} label={label}>
      <div className="flex flex-wrap items-center gap-2">
        {fileId ? (
          name !== undefined && <span className="min-w-0 truncate">{chosenName}</span>
        ) : (
          <span className="text-muted text-sm">{none}</span>
        )}
        <Button id={id} small onClick={() => setOpen(true)}>
          {chooseLabel}
        </Button>
        {fileId && (
          <Button small tone="quiet" onClick={() => onChange(null)}>
            {removeLabel}
          </Button>
        )}
      </div>
      <FilePicker
        open={open}
        onOpenChange={setOpen}
        kinds={['image']}
        onPick={(file) => {
          setChosenName(file.name)
          onChange(file.id)
        }}
        locale={locale}
        t={t}
      />
    </FieldFrame>
  )
}
