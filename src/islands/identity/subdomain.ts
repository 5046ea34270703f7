import { createLatestRequest } from '#islands/ui/request/latest-request.ts'

interface SubdomainCheck {
  subdomain: string
  available: boolean
  reason?: string
  suggestions: string[]
}

const field = document.querySelector<HTMLElement>('[data-subdomain]')
const input = field?.querySelector('input')
const organisation = document.querySelector<HTMLInputElement>('input[name=organisation]')
if (field && input) checkWhileTyping(field, input)

/** Shows while typing whether the subdomain is available, and suggests one from the organisation's name. */
function checkWhileTyping(field: HTMLElement, input: HTMLInputElement): void {
  const labels: Record<string, string> = JSON.parse(field.dataset.words ?? '{}')
  const message = field.querySelector<HTMLElement>('[data-message]')
  const offers = field.querySelector<HTMLElement>('[data-suggestions]')
  let isEdited = input.value !== ''
  let timer: ReturnType<typeof setTimeout> | undefined
  const latest = createLatestRequest()

  input.addEventListener('input', () => {
    isEdited = input.value !== ''
    clearTimeout(timer)
    latest.cancel()
    timer = setTimeout(() => void check(), 350)
  })
  organisation?.addEventListener('change', async () => {
    if (isEdited || organisation.value.trim() === '') return
    const [first] = (await requestCheck('', organisation.value))?.suggestions ?? []
    if (!first || isEdited) return
    input.value = first
    // In a focused field the suggestion is selected, so that typing replaces it.
    if (document.activeElement === input) input.select()
    await check()
  })

  async function check(): Promise<void> {
    const subdomain = input.value.trim().toLowerCase()
    if (subdomain === '') return show(labels.hint ?? '', false, [])
    const request = (signal: AbortSignal) => requestCheck(subdomain, organisation?.value ?? '', signal)
    await latest.run(request, (answer) => {
      if (answer?.available) show(labels.free ?? '', false, [])
      else if (answer) show(labels[answer.reason ?? ''] ?? '', true, answer.suggestions)
    })
  }

  function show(text: string, isInvalid: boolean, suggestions: string[]): void {
    if (message) {
      message.textContent = text
      message.className = isInvalid ? 'field-error' : 'field-hint'
    }
    if (isInvalid) input.setAttribute('aria-invalid', 'true')
    else input.removeAttribute('aria-invalid')
    offers?.replaceChildren(...(suggestions.length > 0 ? [`${labels.try} `, ...suggestions.flatMap(offer)] : []))
  }

  function offer(name: string, index: number): (string | Node)[] {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'still-link min-h-6 cursor-pointer'
    button.textContent = name
    button.addEventListener('click', () => {
      input.value = name
      isEdited = true
      input.focus()
      void check()
    })
    return index === 0 ? [button] : [', ', button]
  }
}

async function requestCheck(
  subdomain: string,
  organisation: string,
  signal?: AbortSignal,
): Promise<SubdomainCheck | null> {
  const query = new URLSearchParams({ subdomain, organisation: organisation.slice(0, 200) })
  const response = await fetch(`/v1/module/tenant/findSubdomain?${query}`, signal ? { signal } : {}).catch(() => null)
  return response?.ok ? response.json() : null
}
