import { showFailure } from '#islands/stores/notice.ts'
import { runBeforeLeaving } from '#islands/stores/page.ts'
import { createTranslator, type Translate } from '#lib/core/shared/text/strings.ts'
import type { LessonPageProps } from './lesson-page-props.ts'
import { offerNextLesson } from './next-lesson.ts'
import { createProgressOutbox, type RefusedProgress, type UnsentReason } from './progress-outbox.ts'
import { refreshParts } from './refresh-parts.ts'
import { watchMedia } from './watch-media.ts'

/**
 * Sends watched ranges and the completion every ten seconds when there is something new, and at once when media pauses
 * or the student completes the lesson. Shows the server's response.
 */
export function bindProgress(container: HTMLElement, view: LessonPageProps): () => void {
  const t = createTranslator(view.strings, view.locale)
  let done = view.done
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
    status.textContent = t('study:video.need', { percent: view.percent, watched })
    container.querySelector('[data-watched-bar]')?.setAttribute('value', String(Math.min(watched, view.percent)))
  }
  // The link may appear later, with the refreshed parts of the page.
  const offerNextIfReady = () => {
    const link = document.querySelector<HTMLAnchorElement>('[data-redraw="neighbours"] a[rel="next"]')
    if (!ended || !done || !link) return
    ended = false
    cancelOffer = offerNextLesson(container, link.href, t)
  }
  const outbox = createProgressOutbox(view.owner, view.title, {
    onSaved(lessonId, completion) {
      if (!completion) return
      if (lessonId === view.lessonId) {
        view.done = completion.completedAt !== null
        showCompletion(view.done)
      }
      void refreshParts().then(offerNextIfReady)
    },
    onRefused(lessonId, message) {
      if (lessonId !== view.lessonId) return
      showCompletion(view.done)
      showFailure(message)
    },
    onUnsent: (reason) => showUnsent(container, reason),
    onRefusedChange: (refused) => showRefused(container, refused, t),
  })
  const watcher = watchMedia(container, view, outbox, {
    onProgress: showWatchedShare,
    ended(media) {
      ended = isLastPart(container, media)
      void outbox.flush().then(offerNextIfReady)
    },
  })

  const onSubmit = (event: Event) => {
    const form = event.target
    if (!(form instanceof HTMLFormElement) || !form.closest('[data-complete]')) return
    event.preventDefault()
    const isCompleted = new FormData(form).get('intent') === 'complete'
    showCompletion(isCompleted)
    focusCompletion(container, isCompleted)
    outbox.addCompletion(view.lessonId, isCompleted)
  }
  const onPause = () => void outbox.flush()
  const onClick = ({ target }: Event) => {
    if (target instanceof Element && target.closest('[data-retry-progress]')) outbox.retryRefused()
  }
  container.addEventListener('click', onClick)
  container.addEventListener('submit', onSubmit)
  container.addEventListener('pause', onPause, true)
  const stopLeaveHandler = runBeforeLeaving(outbox.flush)
  // Progress that an earlier visit left on this device.
  void outbox.findUnsent(view.lessonId).then((unsent) => {
    if (unsent && unsent.mark !== null) showCompletion(unsent.mark)
  })

  return () => {
    watcher.stop()
    cancelOffer()
    stopLeaveHandler()
    container.removeEventListener('click', onClick)
    container.removeEventListener('submit', onSubmit)
    container.removeEventListener('pause', onPause, true)
    void outbox.flush().then(outbox.close)
  }
}

function showUnsent(container: HTMLElement, reason: UnsentReason): void {
  for (const notice of container.querySelectorAll<HTMLElement>('[data-left]'))
    notice.hidden = notice.dataset.left !== reason
}

/** Lists the lessons whose progress the server refuses, each with the reason. */
function showRefused(container: HTMLElement, refused: readonly RefusedProgress[], t: Translate): void {
  const notice = container.querySelector<HTMLElement>('[data-refused-progress]')
  if (!notice) return
  notice.hidden = refused.length === 0
  const rows = refused.map(({ title, message }) => {
    const row = document.createElement('li')
    row.textContent = [title || t('study:refused.lesson'), message].filter(Boolean).join(': ')
    return row
  })
  notice.querySelector('ul')?.replaceChildren(...rows)
}

function focusCompletion(container: HTMLElement, isCompleted: boolean): void {
  container
    .querySelector<HTMLElement>(`[data-complete] [data-when="${isCompleted ? 'done' : 'open'}"] :is(a, button)`)
    ?.focus({ preventScroll: true })
}

/** Whether no other required part follows the media. */
function isLastPart(container: HTMLElement, media: HTMLMediaElement): boolean {
  const parts = [...container.querySelectorAll<HTMLElement>('[data-video], [data-to-do]')]
  return parts.at(-1)?.contains(media) ?? false
}
