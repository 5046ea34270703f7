import { onPage, refreshPage } from '#islands/stores/page.ts'
import { createAnswerQueue, type QueueItem } from './answer-queue.ts'

/* The result of an attempt: sends the answers that are still on this device, and shows them until the server has them. */
onPage(() => {
  const root = document.querySelector<HTMLElement>('[data-late-device]')
  if (!root?.dataset.lateDevice) return
  const { owner, attemptId }: { owner: string; attemptId: string } = JSON.parse(root.dataset.lateDevice)
  const show = (items: readonly QueueItem[]) => {
    const own = items.filter(({ payload }) => payload.attemptId === attemptId)
    root.hidden = own.length === 0
    const texts = own.flatMap(({ payload: { value } }) => (value && 'text' in value ? [value.text] : []))
    root.querySelector('[data-late-texts]')?.replaceChildren(...texts.map(createItem))
  }
  const queue = createAnswerQueue(owner, {
    onSaved: () => undefined,
    onLate: (answer) => answer.attemptId === attemptId && refreshPage(),
    onFailed: () => 'keep',
    onChange: show,
  })
  void queue.flush()
  return queue.close
})

function createItem(text: string): HTMLElement {
  const item = document.createElement('li')
  item.className = 'whitespace-pre-line'
  item.textContent = text
  return item
}
