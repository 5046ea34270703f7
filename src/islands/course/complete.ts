import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { fail } from '#islands/stores/notice.ts'
import { onPage } from '#islands/stores/page.ts'

/*
 * "Complete" answers at once and tells the school behind the scenes. When the school says no or cannot be reached the
 * mark goes back and the reason is shown. Without a script the form itself does the work.
 */
onPage(() => {
  const box = document.querySelector<HTMLElement>('[data-complete]')
  box?.addEventListener('submit', (event) => {
    const form = event.target
    const lessonId = box.dataset.complete
    if (!(form instanceof HTMLFormElement) || !lessonId) return
    event.preventDefault()
    const done = new FormData(form).get('act') === 'complete'
    show(box, done)
    void tell(box, lessonId, done)
  })
})

async function tell(box: HTMLElement, lessonId: string, done: boolean): Promise<void> {
  const context = { context: { quiet: true, leaving: true } }
  try {
    const { completed, total } = await (done
      ? api.course.completeLesson({ lessonId }, context)
      : api.course.reopenLesson({ lessonId }, context))
    for (const bar of document.querySelectorAll('progress')) Object.assign(bar, { value: completed, max: total })
    for (const line of document.querySelectorAll<HTMLElement>('[data-progress]')) {
      line.textContent = (line.dataset.words ?? '').replace('@done', `${completed}`).replace('@total', `${total}`)
    }
  } catch (error) {
    show(box, !done)
    const failure = CallError.from(error)
    fail(failure.status === 0 ? '' : failure.message)
  }
}

function show(box: HTMLElement, done: boolean): void {
  for (const part of box.querySelectorAll<HTMLElement>('[data-when]')) {
    part.hidden = (part.dataset.when === 'done') !== done
  }
  box.querySelector<HTMLElement>(done ? '[data-when="done"] a' : '[data-when="open"] button')?.focus()
}
