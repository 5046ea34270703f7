import { createRoot } from 'react-dom/client'
import type { Locale } from '#lib/core/shared/locale.ts'
import { ownWords } from './own-work.ts'
import { Thread, type ThreadProps } from './Thread.tsx'

type Shown = Pick<ThreadProps, 'taskId' | 'owner' | 'timeZone' | 'messages'>

/** Makes the talk of a lesson's page ready to take the place of the plain one. */
export async function mountThread(talk: Shown, locale: Locale): Promise<(place: HTMLElement) => () => void> {
  const say = await ownWords(locale)
  return (place) => {
    const root = createRoot(place)
    root.render(<Thread {...talk} locale={locale} say={say} />)
    return () => root.unmount()
  }
}
