import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { $uploads, type Upload } from '#islands/stores/upload/upload-list.ts'
import { addFiles, cancelUpload, prepareUploads } from '#islands/stores/upload/uploads.ts'
import { listWaitingFiles } from '#islands/stores/upload/waiting-files.ts'
import { formatBytes, formatPercent, type Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { fileAnswerPlace, fileAnswerUpload } from './file-answer.ts'

interface FilesContext {
  /** Membership id of the student. */
  owner: string
  attemptId: string
  questionId: string
  locale: Locale
  t: Translate
  signal: AbortSignal
  /** Called when no upload of the answer is running any more. */
  onUploaded(): void
}

const quiet = { context: { isQuiet: true } }

/** Uploads the files of an answer in parts, which are resumed after an interruption, and removes them one by one. */
export function enhanceFiles(question: HTMLElement, context: FilesContext): void {
  const { owner, attemptId, questionId, locale, t, signal, onUploaded } = context
  const list = question.querySelector<HTMLElement>('[data-file-list]')
  const input = question.querySelector<HTMLInputElement>('[data-file-form] input[type=file]')
  if (!list || !input) return
  question.querySelector('[data-file-limit]')?.setAttribute('hidden', '')
  showAsButton(input, t('attempt:page.addFile'), questionId)
  const running = new Map<string, HTMLElement>()

  for (const item of list.querySelectorAll<HTMLElement>('[data-file]')) {
    const box = item.querySelector<HTMLInputElement>('input[type=checkbox]')
    if (!box || box.disabled) continue
    box.hidden = true
    const name = item.querySelector('a, span')?.textContent?.trim() ?? ''
    item.append(removeButton(name, () => remove(item.dataset.file ?? '', item)))
  }

  async function remove(fileId: string, item: HTMLElement): Promise<void> {
    try {
      await api.quiz.removeFileAnswer({ attemptId, questionId, fileId }, quiet)
      item.remove()
    } catch (error) {
      showError(CallError.from(error).message || t('attempt:save.offline'))
    }
  }

  function removeButton(name: string, run: () => Promise<void>): HTMLButtonElement {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'btn btn-ghost btn-sm'
    button.textContent = '×'
    button.setAttribute('aria-label', t('attempt:page.removeFile', { name }))
    button.addEventListener('click', () => void run())
    return button
  }

  function showError(text: string): void {
    const place = document.createElement('p')
    place.className = 'field-error'
    place.setAttribute('role', 'alert')
    place.textContent = text
    list?.after(place)
    setTimeout(() => place.remove(), 8000)
  }

  function uploadChosen(field: HTMLInputElement, fileList: HTMLElement): void {
    const files = [...(field.files ?? [])]
    field.value = ''
    uploadFiles(
      files.map((file) => ({ file })),
      fileList,
    )
  }

  function uploadFiles(files: readonly { id?: string; file: File }[], fileList: HTMLElement): void {
    if (files.length === 0) return
    const ids = addFiles(files.map((chosen) => fileAnswerUpload({ owner, attemptId, questionId }, chosen)))
    for (const [index, id] of ids.entries()) {
      const item = document.createElement('li')
      item.dataset.upload = id
      fileList.append(item)
      running.set(id, item)
      draw(id, files[index]?.file)
    }
  }

  function draw(id: string, file?: File): void {
    const item = running.get(id)
    const upload = $uploads.get().find((candidate) => candidate.id === id)
    if (!item || !upload) return
    const text = document.createElement('span')
    text.className = 'min-w-0 flex-1 wrap-anywhere'
    text.textContent = `${upload.name} ${formatBytes(file?.size ?? upload.size, locale)} · ${stateText(upload)}`
    const cancel = removeButton(upload.name, async () => {
      const { fileId } = upload
      await cancelUpload(id)
      running.delete(id)
      if (fileId) await remove(fileId, item)
      item.remove()
    })
    item.replaceChildren(text, cancel)
    if (upload.step !== 'done' && upload.step !== 'processing') return
    delete item.dataset.upload
    running.delete(id)
    if (!list?.querySelector('[data-upload]')) onUploaded()
  }

  function stateText({ step, sentBytes, size, failure }: Upload): string {
    if (step === 'done' || step === 'processing') return `✓ ${t('attempt:save.saved')}`
    if (step === 'failed') return t('attempt:page.uploadFailed', { reason: failure?.message ?? '' })
    if (step === 'offline' || step === 'signedOut') return t('attempt:page.uploadWaits')
    return t('attempt:page.uploading', { percent: formatPercent(size === 0 ? 0 : sentBytes / size, locale) })
  }

  const stop = $uploads.subscribe(() => {
    for (const id of running.keys()) draw(id)
  })
  signal.addEventListener('abort', stop)
  input.addEventListener('change', () => uploadChosen(input, list), { signal })
  void prepareUploads()
  // Files that were chosen before this script was loaded.
  uploadChosen(input, list)
  // Files that were chosen in a tab that was closed before they arrived.
  void listWaitingFiles(fileAnswerPlace({ owner, attemptId, questionId })).then((waiting) => {
    if (!signal.aborted) uploadFiles(waiting, list)
  })
}

/** Shows a file field as a button. The field stays where it is, because an element that is moved loses the focus. */
function showAsButton(input: HTMLInputElement, text: string, questionId: string): void {
  const label = document.createElement('label')
  input.id = `file-${questionId}`
  label.htmlFor = input.id
  label.className =
    'btn btn-sm peer-focus-visible:outline-2 peer-focus-visible:outline-primary peer-focus-visible:outline-offset-2'
  label.textContent = text
  input.className = 'peer sr-only'
  input.after(label)
}
