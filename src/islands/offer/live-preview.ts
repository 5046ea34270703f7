import { onPage } from '#islands/stores/page.ts'

const DEBOUNCE_MS = 500

/* Shows what is typed as buyers will see it: the server renders the preview, as it does for the button without a script. */
onPage(() => {
  const form = document.querySelector<HTMLFormElement>('[data-offer-form]')
  const preview = document.querySelector<HTMLElement>('[data-offer-preview]')
  if (!form || !preview) return
  let timer: ReturnType<typeof setTimeout> | undefined
  let request: AbortController | undefined
  const onInput = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      request?.abort()
      request = new AbortController()
      void refresh(form, preview, request.signal)
    }, DEBOUNCE_MS)
  }
  form.addEventListener('input', onInput)
  return () => {
    clearTimeout(timer)
    request?.abort()
    form.removeEventListener('input', onInput)
  }
})

/** Replaces the preview; while the fields are not valid, or there is no network, it stays as it is. */
async function refresh(form: HTMLFormElement, preview: HTMLElement, signal: AbortSignal): Promise<void> {
  const body = new FormData(form)
  body.set('intent', 'previewOffer')
  try {
    const response = await fetch(location.pathname, { method: 'POST', body, signal })
    if (!response.ok) return
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const next = page.querySelector('[data-offer-preview]')
    if (next) preview.replaceChildren(...next.childNodes)
  } catch {
    // Aborted by newer input, or offline: the next input shows the preview.
  }
}
