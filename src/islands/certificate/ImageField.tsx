import { useId, useState } from 'react'
import { FilePicker } from '#islands/picker/FilePicker.tsx'
import { Button } from '#islands/ui/Button.tsx'
import { FieldFrame } from '#islands/ui/Field.tsx'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'

interface Props {
  label: string
  /** Text without a chosen image. */
  none: string
  fileId: string | null
  onChange: (fileId: string | null) => void
  locale: Locale
  t: Translate
}

/** An image of the storage. */
export function ImageField({ label, none, fileId, onChange, locale, t }: Props) {
  const [open, setOpen] = useState(false)
  const id = useId()
  return (
    <FieldFrame id={id} label={label}>
      <div className="flex flex-wrap items-center gap-2">
        {!fileId && <span className="text-muted text-sm">{none}</span>}
        <Button id={id} small onClick={() => setOpen(true)}>
          {t('certificate:edit.chooseImage')}
        </Button>
        {fileId && (
          <Button small tone="quiet" onClick={() => onChange(null)}>
            {t('certificate:edit.removeImage')}
          </Button>
        )}
      </div>
      <FilePicker
        open={open}
        onOpenChange={setOpen}
        kinds={['image']}
        onPick={(file) => onChange(file.id)}
        locale={locale}
        t={t}
      />
    </FieldFrame>
  )
}
