import { mountIsland } from '#islands/mount/mount.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { createTranslator } from '#lib/core/shared/text/strings.ts'
import { loadStrings } from '../load-strings.ts'
import VideoEditorDialog from '../video/VideoEditorDialog.tsx'

interface Video {
  fileId: string
  name: string
}

/** Opens the captions of a video in a dialog. Returns how to close it. */
export async function openCaptionDialog({ fileId, name }: Video, locale: Locale): Promise<() => void> {
  const opener = document.activeElement
  const t = createTranslator(await loadStrings(locale, 'storage'), locale)
  const place = document.body.appendChild(document.createElement('div'))
  const close = () => {
    island.unmount()
    place.remove()
    if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
  }
  const island = mountIsland(
    place,
    'captions',
    <VideoEditorDialog fileId={fileId} name={name} part="captions" i18n={{ t, locale }} onClose={close} />,
  )
  return close
}
