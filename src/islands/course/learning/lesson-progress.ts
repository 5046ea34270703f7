import { showFailure } from '#islands/stores/notice.ts'
import { runBeforeLeaving } from '#islands/stores/page.ts'
import { createTranslator } from '#lib/core/shared/text/strings.ts'
import type { LessonPageProps } from './lesson-page-props.ts'
import { offerNextLesson } from './next-lesson.ts'
import { findQueued, type ProgressResult, queueCompletion, sendQueued, type UnsentReason } from './progress-queue.ts'
import { refreshParts } from './refresh-parts.ts'
import { watchMedia } from './watch-media.ts'

const HEARTBEAT_MS = 10_000

/**
 * Sends watched ranges and the completion every ten seconds when there is something new, and at once when media pauses,
 * the network returns or the student completes the lesson. Shows the server's response.
 */
export function bindProgress(container: HTMLElement, view: LessonPageProps): () => void {
  const t = createTranslator(view.strings, view.locale)
  let done = view.done
  let hasUnsent = false
  let sending: Promise<void> | null = null
  let cancelOffer = () => {}
  let ended = false

  const showCompletion = (isDone: boolean) => {
    done = isDone
    for (const part of container.querySelectorAll<HTMLElement>('[data-when]')) {
      part.hidden = (part.dataset.when === 'done') !== isDone
    }
  }
  const showWatchedShare = () => {
    const status = container.querySelector<HTMLElement>('[data-watched]')
    if (!status) return
    const watched = Math.floor(watcher.lowestShare() * 100)
    status.textContent = t('study:film.need', { percent: view.percent, watched })
    container.querySelector('[data-watched-bar]')?.setAttribute('value', String(Math.min(watched, view.percent)))
  }
  // The link may appear later, with the refreshed parts of the page.
  const offerNextIfReady = () => {
    const link = document.querySelector<HTMLAnchorElement>('[data-redraw="neighbours"] a[rel="next"]')
    if (!ended || !done || !link) return
    ended = false
    cancelOffer = offerNextLesson(container, link.href, t)
  }
  const handleResult = (result: ProgressResult) => {
    if (result.kind === 'refused') {
      if (result.lessonId !== view.lessonId) return
      showCompletion(view.done)
      showFailure(result.message)
      return
    }
    const completed = result.kind === 'marked' ? result.completion : result.watched.completion
    if (result.lessonId === view.lessonId && completed) {
      view.done = completed.completedAt !== null
      showCompletion(view.done)
    }
    if (completed) void refreshParts().then(offerNextIfReady)
  }
  const sendProgress = (): Promise<void> => {
    hasUnsent = false
    sending ??= sendQueued(view.owner, handleResult)
      .then((left) => {
        showUnsent(container, left)
        if (left !== 'nothing') hasUnsent = true
      })
      .finally(() => {
        sending = null
      })
    return sending
  }
  const watcher = watchMedia(container, view, {
    onProgress() {
      hasUnsent = true
      showWatchedShare()
    },
    ended(media) {
      ended = isLastPart(container, media)
      void sendProgress().then(offerNextIfReady)
    },
  })

  const onSubmit = (event: Event) => {
    const form = event.target
    if (!(form instanceof HTMLFormElement) || !form.closest('[data-complete]')) return
    event.preventDefault()
    const isCompleted = new FormData(form).get('act') === 'complete'
    showCompletion(isCompleted)
    focusCompletion(container, isCompleted)
    void queueCompletion(view.owner, view.lessonId, isCompleted).then(sendProgress)
  }
  const onPause = () => hasUnsent && void sendProgress()
  const heartbeat = setInterval(() => hasUnsent && navigator.onLine && void sendProgress(), HEARTBEAT_MS)
  const online = () => void sendProgress()
  container.addEventListener('submit', onSubmit)
  container.addEventListener('pause', onPause, true)
  window.addEventListener('online', online)
  const stopLeaveHandler = runBeforeLeaving(async () => {
    if (hasUnsent) await sendProgress()
  })
  // Progress that an earlier visit left on this device.
  void findQueued(view.owner, view.lessonId).then((waiting) => {
    if (waiting && waiting.mark !== null) showCompletion(waiting.mark)
    return sendProgress()
  })

  return () => {
    watcher.stop()
    cancelOffer()
    clearInterval(heartbeat)
    stopLeaveHandler()
    container.removeEventListener('submit', onSubmit)
    container.removeEventListener('pause', onPause, true)
    window.removeEventListener('online', online)
    if (hasUnsent) void sendProgress()
  }
}

function showUnsent(container: HTMLElement, reason: UnsentReason): void {
  for (const notice of container.querySelectorAll<HTMLElement>('[data-left]'))
    notice.hidden = notice.dataset.left !== reason
}

function focusCompletion(container: HTMLElement, isCompleted: boolean): void {
  container
    .querySelector<HTMLElement>(`[data-complete] [data-when="${isCompleted ? 'done' : 'open'}"] :is(a, button)`)
    ?.focus({ preventScroll: true })
}

/** Whether no other required part follows the media. */
function isLastPart(container: HTMLElement, media: HTMLMediaElement): boolean {
  const parts = [...container.querySelectorAll<HTMLElement>('[data-film], [data-to-do]')]
  return parts.at(-1)?.contains(media) ?? false
}
