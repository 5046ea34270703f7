import { readPageLocale } from '#islands/stores/page-locale.ts'
import { sendRequest } from '#islands/stores/upload/send-request.ts'
import { formatPercent } from '#lib/core/shared/locale.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'

/** The response to a page request, from `fetch` or from a form with files. */
export interface PageResponse {
  url: string
  isRedirected: boolean
  contentType: string
  readText: () => Promise<string>
  discard: () => void
}

export class UploadCanceled extends Error {}

/** A shorter upload shows no progress. */
const SHOW_DELAY_MS = 300
const RESPONSE_TIMEOUT_MS = 5 * MINUTE_MS
const ANNOUNCED_STEP = 0.25

export const containsFiles = (data: FormData | undefined): boolean =>
  data !== undefined && [...data.values()].some((value) => value instanceof File && value.size > 0)

/**
 * Posts a form with files. While it is sent, the form shows the progress and a button that cancels it. Throws
 * `UploadCanceled` after this button, and another error when no response arrives.
 */
export async function postFiles(
  href: string,
  { form, body, signal }: { form: HTMLFormElement; body: FormData; signal: AbortSignal },
): Promise<PageResponse> {
  const cancellation = new AbortController()
  const progress = showProgress(form, () => cancellation.abort())
  try {
    const request = await sendRequest({
      method: 'POST',
      url: href,
      body,
      headers: { accept: 'text/html' },
      signal: AbortSignal.any([signal, cancellation.signal]),
      onProgress: ({ loaded, total }) => progress.update(total === 0 ? 1 : loaded / total),
      responseTimeoutMs: RESPONSE_TIMEOUT_MS,
    })
    if (cancellation.signal.aborted) throw new UploadCanceled()
    if (request.status === 0) throw new TypeError('No response')
    const [requested = ''] = new URL(href, location.href).href.split('#')
    return {
      url: request.responseURL,
      isRedirected: request.responseURL !== requested,
      contentType: request.getResponseHeader('content-type') ?? '',
      readText: async () => request.responseText,
      discard: () => undefined,
    }
  } finally {
    progress.close()
  }
}

/** Adds the progress of layouts/parts/cabinet/FormUpload.astro to the end of a form. */
function showProgress(form: HTMLFormElement, cancel: () => void) {
  const template = document.querySelector<HTMLTemplateElement>('#form-upload')
  const copy = template?.content.firstElementChild?.cloneNode(true)
  const view = copy instanceof HTMLElement ? copy : null
  const focused = document.activeElement
  view?.querySelector('button')?.addEventListener('click', cancel)
  const timer = setTimeout(() => {
    if (!view) return
    form.append(view)
    view.scrollIntoView({ block: 'nearest' })
    announce()
  }, SHOW_DELAY_MS)
  let share = 0
  let announcedStep = -1

  /** The status region announces every quarter, because announcing each percentage would interrupt other output. */
  function announce(): void {
    const status = view?.querySelector<HTMLElement>('[role=status]')
    const step = Math.floor(share / ANNOUNCED_STEP)
    if (!view?.isConnected || !status || step === announcedStep) return
    announcedStep = step
    const { sending = '', processing = '' } = view.dataset
    status.textContent = share < 1 ? `${sending} ${percentText(step * ANNOUNCED_STEP)}` : processing
  }

  function update(next: number): void {
    share = next
    const bar = view?.querySelector('progress')
    const text = view?.querySelector<HTMLElement>('[data-text]')
    if (bar) bar.value = Math.floor(share * 100)
    if (view && text) {
      const { sending = '', processing = '' } = view.dataset
      text.textContent = share < 1 ? `${sending} ${percentText(share)}` : processing
    }
    announce()
  }

  function close(): void {
    clearTimeout(timer)
    const hadFocus = view?.contains(document.activeElement)
    view?.remove()
    if (hadFocus && focused instanceof HTMLElement && focused.isConnected) focused.focus()
  }
  return { update, close }
}

const percentText = (share: number): string => formatPercent(Math.floor(share * 100) / 100, readPageLocale())
