import { useStore } from '@nanostores/react'
import { atom, computed } from 'nanostores'
import { useEffect } from 'react'
import type { SlideDeck } from '#islands/broadcast/slides.ts'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { canGetSlides } from '#lib/meeting/stage/media-rules.ts'
import { spreadRequests } from '../devices/room-media.ts'
import { $onlineCount, $state, roomApi } from '../room.ts'
import { showError } from './show-error.ts'
import { $stagePlace } from './stage-place.ts'

interface SlidesState {
  slides: SlideDeck | null
  state: 'none' | 'loading' | 'ready' | 'failed'
}

/** The slides of this room, loaded when the stage shows them. */
export const $slides = atom<SlidesState>({ slides: null, state: 'none' })

/** The page that the presenter has chosen and the server has not yet confirmed. */
const $requestedPage = atom<number | null>(null)

/** The number of the shown page. */
export const $page = computed(
  [$state, $requestedPage],
  (state, requestedPage) => requestedPage ?? state?.slide.page ?? 1,
)

let slidesAddress: string | null = null
let slidesFileId: string | null = null

/**
 * Loads the slides of the room while the component is mounted, and again when the file changes. Viewers get their
 * address when the event has started. Returns a function that tries again.
 */
export function useSlides(view: RoomView): () => void {
  const isOnStage = useStore($stagePlace) === 'on'
  useEffect(() => {
    if (slidesAddress === null && view.slides) {
      slidesFileId = view.state.slide.fileId
      void openSlidesAt(view.slides)
    }
    return $state.subscribe((state) => {
      const next = state?.slide.fileId ?? null
      if (!state || next === null || next === slidesFileId) return
      if (canGetSlides({ role: view.me.role, isOnStage, isBarred: false }, state.phase).allow) void requestSlides(next)
    })
  }, [view, isOnStage])
  return () => void (slidesAddress ? openSlidesAt(slidesAddress) : slidesFileId && requestSlides(slidesFileId))
}

async function requestSlides(fileId: string): Promise<void> {
  slidesFileId = fileId
  $slides.get().slides?.close()
  slidesAddress = null
  $slides.set({ slides: null, state: 'loading' })
  try {
    await spreadRequests($onlineCount.get() ?? 0)
    const { address } = await roomApi.getSlides()
    if (slidesFileId === fileId) await openSlidesAt(address)
  } catch {
    if (slidesFileId === fileId) $slides.set({ slides: null, state: 'failed' })
  }
}

async function openSlidesAt(next: string | null): Promise<void> {
  slidesAddress = next
  $slides.get().slides?.close()
  if (!next) return $slides.set({ slides: null, state: 'none' })
  $slides.set({ slides: null, state: 'loading' })
  try {
    const { openSlideDeck: openSlides } = await import('#islands/broadcast/slides.ts')
    const slides = await openSlides(next)
    // The file was replaced in the meantime.
    if (slidesAddress !== next) return slides.close()
    $slides.set({ slides, state: 'ready' })
  } catch {
    if (slidesAddress === next) $slides.set({ slides: null, state: 'failed' })
  }
}

/** Shows a page to all participants; here at once, for others by the server. */
export function showPage(page: number): void {
  const { slides } = $slides.get()
  const targetPage = Math.max(1, Math.min(page, slides?.pageCount ?? page))
  if (targetPage === $page.get()) return
  $requestedPage.set(targetPage)
  roomApi
    .setSlide({ page: targetPage })
    .catch(showError)
    .finally(() => $requestedPage.get() === targetPage && $requestedPage.set(null))
}

export const movePage = (step: number): void => showPage($page.get() + step)
