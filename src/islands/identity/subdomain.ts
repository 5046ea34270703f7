import { createLatestRequest } from '#lib/core/shared/latest-request.ts'

interface Answer {
  subdomain: string
  available: boolean
  reason?: string
  suggestions: string[]
}

const field = document.querySelector<HTMLElement>('[data-subdomain]')
const input = field?.querySelector('input')
const organisation = document.querySelector<HTMLInputElement>('input[name=organisation]')
if (field && input) follow(field, input)

/** Says while typing whether the address is free, and offers one made from the organisation's name. */
function follow(field: HTMLElement, input: HTMLInputElement): void {
  const words: Record<string, string> = JSON.parse(field.dataset.words ?? '{}')
  const says = field.querySelector<HTMLElement>('[data-says]')
  const offers = field.querySelector<HTMLElement>('[data-suggestions]')
  let own = input.value !== ''
  let timer: ReturnType<typeof setTimeout> | undefined
  const latest = createLatestRequest()

  input.addEventListener('input', () => {
    own = input.value !== ''
    clearTimeout(timer)
    latest.cancel()
    timer = setTimeout(() => void check(), 350)
  })
  organisation?.addEventListener('change', async () => {
    if (own || organisation.value.trim() === '') return
    const [first] = (await ask('', organisation.value))?.suggestions ?? []
    if (!first || own) return
    input.value = first
    // Whoever stands in the field already types over the offer.
    if (document.activeElement === input) input.select()
    await check()
  })

  async function check(): Promise<void> {
    const wish = input.value.trim().toLowerCase()
    if (wish === '') return show(words.hint ?? '', false, [])
    const request = (signal: AbortSignal) => ask(wish, organisation?.value ?? '', signal)
    await latest.run(request, (answer) => {
      if (answer?.available) show(words.free ?? '', false, [])
      else if (answer) show(words[answer.reason ?? ''] ?? '', true, answer.suggestions)
    })
  }

  function show(text: string, wrong: boolean, suggestions: string[]): void {
    if (says) {
      says.textContent = text
      says.className = wrong ? 'field-error' : 'field-hint'
    }
    if (wrong) input.setAttribute('aria-invalid', 'true')
    else input.removeAttribute('aria-invalid')
    offers?.replaceChildren(...(suggestions.length > 0 ? [`${words.try} `, ...suggestions.flatMap(offer)] : []))
  }

  function offer(name: string, index: number): (string | Node)[] {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'still-link min-h-6 cursor-pointer'
    button.textContent = name
    button.addEventListener('click', () => {
      input.value = name
      own = true
      input.focus()
      void check()
    })
    return index === 0 ? [button] : [', ', button]
  }
}

async function ask(subdomain: string, organisation: string, signal?: AbortSignal): Promise<Answer | null> {
  const query = new URLSearchParams({ subdomain, organisation: organisation.slice(0, 200) })
  const response = await fetch(`/v1/module/tenant/findSubdomain?${query}`, signal ? { signal } : {}).catch(() => null)
  return response?.ok ? response.json() : null
}
