import { onPage, refreshPage } from '#islands/stores/page.ts'
import { $uploads } from '#islands/stores/upload/upload-list.ts'
import { addFiles } from '#islands/stores/upload/uploads.ts'
import { listWaitingFiles } from '#islands/stores/upload/waiting-files.ts'
import { createAnswerQueue } from './answer-queue.ts'
import { fileAnswerPlace, fileAnswerUpload } from './file-answer.ts'

/*
 * The result of an attempt: sends the answers and files that are still on this device, and shows them until the server
 * has them.
 */
onPage(() => {
  const root = document.querySelector<HTMLElement>('[data-late-device]')
  if (!root?.dataset.lateDevice) return
  const { owner, attemptId }: { owner: string; attemptId: string } = JSON.parse(root.dataset.lateDevice)
  let texts: string[] = []
  let files: { id: string; name: string }[] = []
  const show = () => {
    const shown = [...texts, ...files.map(({ name }) => name)]
    root.hidden = shown.length === 0
    root.querySelector('[data-late-texts]')?.replaceChildren(...shown.map(createItem))
  }
  const queue = createAnswerQueue(owner, {
    onSaved: () => undefined,
    onLate: (answer) => answer.attemptId === attemptId && refreshPage(),
    onFailed: () => 'keep',
    onChange(items) {
      const own = items.filter(({ payload }) => payload.attemptId === attemptId)
      texts = own.flatMap(({ payload: { value } }) => (value && 'text' in value ? [value.text] : []))
      show()
    },
  })
  void queue.flush()

  const prefix = fileAnswerPlace({ owner, attemptId })
  const unsubscribe = $uploads.subscribe((uploads) => {
    const left = files.filter(({ id }) => uploads.some((upload) => upload.id === id && upload.step !== 'done'))
    if (left.length === files.length) return
    files = left
    show()
    if (files.length === 0) refreshPage()
  })
  let isClosed = false
  void listWaitingFiles(prefix).then((waiting) => {
    if (isClosed || waiting.length === 0) return
    files = waiting.map(({ id, file }) => ({ id, name: file.name }))
    addFiles(
      waiting.map(({ id, file, place }) =>
        fileAnswerUpload({ owner, attemptId, questionId: place.slice(prefix.length) }, { id, file }),
      ),
    )
    show()
  })
  return () => {
    isClosed = true
    unsubscribe()
    queue.close()
  }
})

function createItem(text: string): HTMLElement {
  const item = document.createElement('li')
  item.className = 'whitespace-pre-line wrap-anywhere'
  item.textContent = text
  return item
}
