import { useState } from 'react'
import { mountIsland } from '#islands/mount/mount.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { createTranslator, type Strings } from '#lib/core/shared/text/strings.ts'
import { FilePicker } from './FilePicker.tsx'
import type { PickedFile } from './stored-file.ts'
import type { PickKind } from './use-file-list.ts'

interface PickerOptions {
  locale: Locale
  /** Strings of `editor:pick.`, `editor:upload.` and `shell:button.`. */
  strings: Strings
  title?: string | undefined
  kinds: readonly PickKind[]
  onPick: (file: PickedFile) => void
}

/** Opens the file picker on a page without React. Returns how to unmount. */
export function openPicker(place: HTMLElement, options: PickerOptions): () => void {
  return mountIsland(place, 'picker', <SingleUsePicker {...options} />).unmount
}

function SingleUsePicker({ locale, strings, title, kinds, onPick }: PickerOptions) {
  const [open, setOpen] = useState(true)
  const t = createTranslator(strings, locale)
  return (
    <FilePicker
      open={open}
      onOpenChange={setOpen}
      onPick={onPick}
      kinds={kinds}
      t={t}
      locale={locale}
      {...(title ? { title } : {})}
    />
  )
}
