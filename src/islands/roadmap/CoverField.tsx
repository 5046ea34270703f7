import { useId, useState } from 'react'
import { FilePicker } from '#islands/picker/FilePicker.tsx'
import { Button } from '#islands/ui/Button.tsx'
import { FieldFrame } from '#islands/ui/Field.tsx'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'

interface Props {
  fileId: string | null
  /** Name of the cover at page load. */
  name: string | null
  onChange: (fileId: string | null) => void
  locale: Locale
  t: Translate
}

/** The cover image, selected from the storage. */
export function CoverField({ fileId, name, onChange, locale, t }: Props) {
  const [open, setOpen] = useState(false)
  const [chosenName, setChosenName] = useState(name)
  const id = useId()
  return (
    <FieldFrame id={id} label={t('roadmap:edit.cover')}>
      <div className="flex flex-wrap items-center gap-3">
        <span className="min-w-0 truncate">{fileId ? chosenName : t('roadmap:edit.noCover')}</span>
        <Button id={id} small onClick={() => setOpen(true)}>
          {t('roadmap:edit.chooseCover')}
        </Button>
        {fileId && (
          <Button small tone="quiet" onClick={() => onChange(null)}>
            {t('roadmap:edit.removeCover')}
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
