import { atom, computed } from 'nanostores'
import type { Slides } from '#islands/broadcast/slides.ts'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { $state, act } from '../room.ts'
import { failWith } from './stage-fail.ts'

interface Shown {
  slides: Slides | null
  state: 'none' | 'loading' | 'ready' | 'failed'
}

/** The slides of this room, once somebody's stage wants them. */
export const $slides = atom<Shown>({ slides: null, state: 'none' })

/** Where the presenter already is while the server hears of it. */
const $wanted = atom<number | null>(null)

/** The page that is shown. */
export const $page = computed([$state, $wanted], (state, wanted) => wanted ?? state?.slide.page ?? 1)

let address: string | null = null
let fileId: string | null = null

/** Fetches the slides of the room, anew when another file takes their place. Answers how to stop following. */
export function loadSlides(view: RoomView, again = false): () => void {
  if (again || (address === null && view.slides)) {
    fileId = view.state.slide.fileId
    void openAt(view.slides)
  }
  return $state.subscribe((state) => {
    const next = state?.slide.fileId ?? null
    if (next === null || next === fileId) return
    fileId = next
    void act.getRoom().then(({ slides }) => openAt(slides))
  })
}

async function openAt(next: string | null): Promise<void> {
  address = next
  $slides.get().slides?.close()
  if (!next) return $slides.set({ slides: null, state: 'none' })
  $slides.set({ slides: null, state: 'loading' })
  try {
    const { openSlides } = await import('#islands/broadcast/slides.ts')
    const slides = await openSlides(next)
    // Another file came in the meantime.
    if (address !== next) return slides.close()
    $slides.set({ slides, state: 'ready' })
  } catch {
    if (address === next) $slides.set({ slides: null, state: 'failed' })
  }
}

/** Shows another page to everybody: at once here, and from the server to all. */
export function turnTo(page: number): void {
  const { slides } = $slides.get()
  const to = Math.max(1, Math.min(page, slides?.pages ?? page))
  if (to === $page.get()) return
  $wanted.set(to)
  act
    .setSlide({ page: to })
    .catch(failWith)
    .finally(() => $wanted.get() === to && $wanted.set(null))
}

export const turnBy = (step: number): void => turnTo($page.get() + step)
