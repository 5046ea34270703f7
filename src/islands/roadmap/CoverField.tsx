import { useId, useState } from 'react'
import { PickFile } from '#islands/picker/PickFile.tsx'
import { Button } from '#islands/ui/Button.tsx'
import { FieldFrame } from '#islands/ui/Field.tsx'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Say } from '#lib/core/shared/text/strings.ts'

interface Props {
  fileId: string | null
  /** Of the cover that the page came with. */
  name: string | null
  onChange: (fileId: string | null) => void
  locale: Locale
  say: Say
}

/** The picture beside the title, chosen from the storage. */
export function CoverField({ fileId, name, onChange, locale, say }: Props) {
  const [open, setOpen] = useState(false)
  const [chosen, setChosen] = useState(name)
  const id = useId()
  return (
    <FieldFrame id={id} label={say('roadmap:edit.cover')}>
      <div className="flex flex-wrap items-center gap-3">
        <span className="min-w-0 truncate">{fileId ? chosen : say('roadmap:edit.noCover')}</span>
        <Button id={id} small onClick={() => setOpen(true)}>
          {say('roadmap:edit.chooseCover')}
        </Button>
        {fileId && (
          <Button small tone="quiet" onClick={() => onChange(null)}>
            {say('roadmap:edit.removeCover')}
          </Button>
        )}
      </div>
      <PickFile
        open={open}
        onOpenChange={setOpen}
        kinds={['image']}
        onPick={(file) => {
          setChosen(file.name)
          onChange(file.id)
        }}
        locale={locale}
        say={say}
      />
    </FieldFrame>
  )
}
