import { fail } from '#islands/stores/notice.ts'
import { beforeLeaving } from '#islands/stores/page.ts'
import { speak } from '#lib/core/shared/text/strings.ts'
import { offerNext } from './study-next.ts'
import { type Answer, keepMark, type Left, sendWaiting, waitingOf } from './study-queue.ts'
import { redrawParts } from './study-redraw.ts'
import type { StudyView } from './study-view.ts'
import { watchFilms } from './study-watch.ts'

const HEARTBEAT_MS = 10_000

/**
 * How far the student is: watched seconds and the mark go to the school every ten seconds while there is something new,
 * and at once when a film stops, the network returns or the mark is put. What the school says is shown.
 */
export function followProgress(place: HTMLElement, view: StudyView): () => void {
  const say = speak(view.strings, view.locale)
  let done = view.done
  let news = false
  let sending: Promise<void> | null = null
  let endOffer = () => {}
  let ended = false

  const show = (isDone: boolean) => {
    done = isDone
    for (const part of place.querySelectorAll<HTMLElement>('[data-when]')) {
      part.hidden = (part.dataset.when === 'done') !== isDone
    }
  }
  const tellShare = () => {
    const line = place.querySelector<HTMLElement>('[data-watched]')
    if (!line) return
    const watched = Math.floor(films.least() * 100)
    line.textContent = say('study:film.need', { percent: view.percent, watched })
    place.querySelector('[data-watched-bar]')?.setAttribute('value', String(Math.min(watched, view.percent)))
  }
  // The link may come a moment later, with the parts that are drawn anew.
  const offer = () => {
    const link = document.querySelector<HTMLAnchorElement>('[data-redraw="neighbours"] a[rel="next"]')
    if (!ended || !done || !link) return
    ended = false
    endOffer = offerNext(place, link.href, say)
  }
  const hear = (answer: Answer) => {
    if (answer.kind === 'refused') {
      if (answer.lessonId !== view.lessonId) return
      show(view.done)
      fail(answer.message)
      return
    }
    const completed = answer.kind === 'marked' ? answer.completion : answer.watched.completion
    if (answer.lessonId === view.lessonId && completed) {
      view.done = completed.completedAt !== null
      show(view.done)
    }
    if (completed) void redrawParts().then(offer)
  }
  const send = (): Promise<void> => {
    news = false
    sending ??= sendWaiting(view.owner, hear)
      .then((left) => {
        showLeft(place, left)
        if (left !== 'nothing') news = true
      })
      .finally(() => {
        sending = null
      })
    return sending
  }
  const films = watchFilms(place, view, {
    grown() {
      news = true
      tellShare()
    },
    ended(media) {
      ended = isLast(place, media)
      void send().then(offer)
    },
  })

  const submit = (event: Event) => {
    const form = event.target
    if (!(form instanceof HTMLFormElement) || !form.closest('[data-complete]')) return
    event.preventDefault()
    const mark = new FormData(form).get('act') === 'complete'
    show(mark)
    focusMark(place, mark)
    void keepMark(view.owner, view.lessonId, mark).then(send)
  }
  const stopped = () => news && void send()
  const beat = setInterval(() => news && navigator.onLine && void send(), HEARTBEAT_MS)
  const online = () => void send()
  place.addEventListener('submit', submit)
  place.addEventListener('pause', stopped, true)
  window.addEventListener('online', online)
  const stay = beforeLeaving(async () => {
    if (news) await send()
  })
  // What another visit, perhaps a killed one, has left on this device.
  void waitingOf(view.owner, view.lessonId).then((waiting) => {
    if (waiting && waiting.mark !== null) show(waiting.mark)
    return send()
  })

  return () => {
    films.stop()
    endOffer()
    clearInterval(beat)
    stay()
    place.removeEventListener('submit', submit)
    place.removeEventListener('pause', stopped, true)
    window.removeEventListener('online', online)
    if (news) void send()
  }
}

function showLeft(place: HTMLElement, left: Left): void {
  for (const line of place.querySelectorAll<HTMLElement>('[data-left]')) line.hidden = line.dataset.left !== left
}

function focusMark(place: HTMLElement, done: boolean): void {
  place
    .querySelector<HTMLElement>(`[data-complete] [data-when="${done ? 'done' : 'open'}"] :is(a, button)`)
    ?.focus({ preventScroll: true })
}

/** Whether nothing that has to be done follows the film. */
function isLast(place: HTMLElement, media: HTMLMediaElement): boolean {
  const parts = [...place.querySelectorAll<HTMLElement>('[data-film], [data-to-do]')]
  return parts.at(-1)?.contains(media) ?? false
}
