import { atom } from 'nanostores'
import { onEvents } from '../room.ts'

/** The latest captions, the newest last. */
export const $captions = atom<readonly { id: number; text: string; language: 'uk' | 'en' }[]>([])

const MAX_LINES = 2
const CAPTION_MS = 7000

/** Shows each caption for some seconds. Returns a function that stops it. */
export function showStageCaptions(): () => void {
  let lastId = 0
  const timers = new Set<ReturnType<typeof setTimeout>>()
  const stop = onEvents((events) => {
    for (const event of events) {
      if (event.type !== 'caption') continue
      const id = ++lastId
      const { text, language } = event.payload
      $captions.set([...$captions.get(), { id, text, language }].slice(-MAX_LINES))
      const timer = setTimeout(() => {
        timers.delete(timer)
        $captions.set($captions.get().filter((caption) => caption.id !== id))
      }, CAPTION_MS)
      timers.add(timer)
    }
  })
  return () => {
    stop()
    for (const timer of timers) clearTimeout(timer)
  }
}
