import { onPage } from '#islands/stores/page.ts'
import { fillVariables } from '#lib/core/shared/text/variables.ts'
import { keepAnswerDraft, removeAnswerDraft } from './answer-draft.ts'
import { followList } from './live-list.ts'

/*
 * The inbox is plain HTML with links and forms. The script shows new items, moves with J and K, selects with X, clicks the element with the
 * `data-key` of a letter, inserts prepared answers and stores the unsent one on the device.
 */
onPage(() => {
  const inbox = document.querySelector<HTMLElement>('[data-inbox]')
  if (!inbox) return undefined
  const { owner = '', sent } = inbox.dataset
  if (sent) void removeAnswerDraft(owner, sent)
  const stopList = followList(inbox)
  const field = inbox.querySelector<HTMLTextAreaElement>('textarea[data-answer]')
  const item = field?.dataset.answer
  const stopDraft = field && item ? keepAnswerDraft(field, owner, item) : () => {}
  const press = (event: KeyboardEvent) => handleKey(inbox, event)
  const choose = (event: Event) => {
    if (event.target instanceof HTMLSelectElement) insertPrepared(event.target)
  }
  const click = (event: MouseEvent) => selectSimilar(inbox, event)
  document.addEventListener('keydown', press)
  inbox.addEventListener('click', click)
  inbox.addEventListener('change', choose)
  inbox.querySelector('[data-messages]')?.scrollTo({ top: 1e6 })
  return () => {
    stopDraft()
    stopList()
    document.removeEventListener('keydown', press)
    inbox.removeEventListener('change', choose)
    inbox.removeEventListener('click', click)
  }
})

/** Selects all questions of the page that ask about the same. */
function selectSimilar(inbox: HTMLElement, { target }: MouseEvent): void {
  const button = target instanceof Element ? target.closest<HTMLElement>('[data-select-similar]') : null
  if (!button) return
  for (const row of inbox.querySelectorAll(`li[data-similar="${button.dataset.selectSimilar}"]`)) {
    const box = row.querySelector<HTMLInputElement>('[data-select]')
    if (box && !box.checked) box.click()
  }
}

/** Appends the chosen answer to the field of its form, with the variables filled in where the item is known. */
function insertPrepared(select: HTMLSelectElement): void {
  if (!select.matches('[data-prepared]') || select.value === '') return
  const field = select.closest('[data-answering]')?.querySelector('textarea')
  if (!field) return
  const variables: Record<string, string> = JSON.parse(select.dataset.variables ?? '{}')
  const text = fillVariables(select.value, variables)
  field.value = field.value.trim() === '' ? text : `${field.value.trimEnd()}\n${text}`
  field.dispatchEvent(new Event('input', { bubbles: true }))
  select.value = ''
  field.focus()
}

function handleKey(inbox: HTMLElement, event: KeyboardEvent): void {
  const { target } = event
  const isField = target instanceof HTMLElement && target.matches('select, textarea, input:not([type=checkbox])')
  if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') {
    if (isField && target instanceof HTMLTextAreaElement) target.form?.requestSubmit()
    return
  }
  if (isField && event.key === 'Escape') target.blur()
  if (isField || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return
  if (event.code === 'KeyJ' || event.code === 'KeyK') move(inbox, event.code === 'KeyJ')
  else if (event.code === 'KeyX') focusedRow()?.querySelector<HTMLInputElement>('[data-select]')?.click()
  else if (!clickKey(inbox, event.code)) return
  event.preventDefault()
}

/** Follows the link to the next or previous item, or focuses the next or previous row of the list. */
function move(inbox: HTMLElement, isForward: boolean): void {
  const step = inbox.querySelector<HTMLAnchorElement>(isForward ? '[data-next]' : '[data-previous]')
  if (step) {
    step.click()
    return
  }
  const links = [...inbox.querySelectorAll<HTMLAnchorElement>('[data-item]')]
  const here = links.findIndex((link) => link.closest('li') === focusedRow())
  links[isForward ? Math.min(here + 1, links.length - 1) : Math.max(here - 1, 0)]?.focus()
}

const focusedRow = (): Element | null => document.activeElement?.closest('[data-inbox] li') ?? null

function clickKey(inbox: HTMLElement, code: string): boolean {
  const letter = /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase()
  const control = letter ? inbox.querySelector<HTMLElement>(`[data-key="${letter}"]`) : null
  if (!control) return false
  if (control.matches('textarea')) control.focus()
  else control.click()
  return true
}
