import { api } from '#islands/stores/api.ts'
import { fail } from '#islands/stores/notice.ts'
import { onPage } from '#islands/stores/page.ts'

/*
 * Alt and an arrow move the lesson or module that has the focus. The forms behind the menu do the same without a script;
 * here the row moves at once and comes back when the school says no.
 */
onPage(() => {
  const outline = document.querySelector<HTMLElement>('[data-outline]')
  outline?.addEventListener('keydown', onKey)
  outline?.addEventListener('submit', onSubmit)
})

function onKey(event: KeyboardEvent): void {
  const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
  if (!event.altKey || by === 0 || !(event.target instanceof HTMLElement)) return
  const row = event.target.closest<HTMLElement>('[data-lesson], [data-module]')
  if (!row) return
  event.preventDefault()
  move(row, by, event.target)
}

function onSubmit(event: SubmitEvent): void {
  const button = event.submitter
  if (!(button instanceof HTMLButtonElement) || button.dataset.move === undefined) return
  const row = button.closest<HTMLElement>('[data-lesson], [data-module]')
  if (!row) return
  event.preventDefault()
  button.closest('details')?.removeAttribute('open')
  move(row, button.value === '-1' ? -1 : 1, row.querySelector<HTMLElement>('a, summary'))
}

// Moves follow each other: the second is counted from where the first has put the row.
let moves: Promise<void> = Promise.resolve()

function move(row: HTMLElement, by: -1 | 1, focus: HTMLElement | null): void {
  const undo = place(row, by)
  if (!undo) return
  focus?.focus()
  row.scrollIntoView({ block: 'nearest' })
  moves = moves.then(async () => {
    try {
      const { lesson: lessonId, module: moduleId } = row.dataset
      const quiet = { context: { quiet: true } }
      if (lessonId) await api.course.moveLesson({ lessonId, by }, quiet)
      else if (moduleId) await api.course.moveModule({ moduleId, by }, quiet)
    } catch (error) {
      undo()
      fail(error instanceof Error ? error.message : '')
    }
  })
}

/** Puts a row where the server will put it: past the edge of its module a lesson goes over into the next one. */
function place(row: HTMLElement, by: -1 | 1): (() => void) | null {
  const { parentElement, nextSibling } = row
  const back = () => parentElement?.insertBefore(row, nextSibling)
  const kind = row.dataset.lesson ? '[data-lesson]' : '[data-module]'
  const neighbour = by === -1 ? row.previousElementSibling : row.nextElementSibling
  if (neighbour?.matches(kind)) {
    if (by === -1) neighbour.before(row)
    else neighbour.after(row)
    return back
  }
  const module = row.dataset.lesson ? row.closest('[data-module]') : null
  const next = by === -1 ? module?.previousElementSibling : module?.nextElementSibling
  const list = next?.querySelector('ol')
  if (!list) return null
  if (by === -1) list.append(row)
  else list.prepend(row)
  return back
}
