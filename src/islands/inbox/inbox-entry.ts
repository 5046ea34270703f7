import { onPage } from '#islands/stores/page.ts'
import { findKeyControl } from '#islands/ui/key-target.ts'
import { fillVariables } from '#lib/core/shared/text/variables.ts'
import { bindAnswerDraft, removeAnswerDraft } from './answer-draft.ts'
import { followList } from './live-list.ts'

/*
 * The inbox is plain HTML with links and forms. The script shows new items, moves with J and K, selects with X, clicks the
 * element with the `data-key` of a letter, inserts prepared answers and stores the unsent one on the device.
 */
onPage(() => {
  const inbox = document.querySelector<HTMLElement>('[data-inbox]')
  if (!inbox) return undefined
  const { owner = '', sent } = inbox.dataset
  if (sent) void removeAnswerDraft(owner, sent)
  const stopList = followList(inbox)
  const field = inbox.querySelector<HTMLTextAreaElement>('textarea[data-answer]')
  const item = field?.dataset.answer
  const stopDraft = field && item ? bindAnswerDraft(field, owner, item) : () => {}
  const pressKey = (event: KeyboardEvent) => handleKey(inbox, event)
  const changeField = (event: Event) => {
    if (event.target instanceof HTMLSelectElement) insertPrepared(event.target)
  }
  const clickInbox = (event: MouseEvent) => selectSimilar(inbox, event)
  document.addEventListener('keydown', pressKey)
  inbox.addEventListener('click', clickInbox)
  inbox.addEventListener('change', changeField)
  inbox.querySelector('[data-messages]')?.scrollTo({ top: 1e6 })
  return () => {
    stopDraft()
    stopList()
    document.removeEventListener('keydown', pressKey)
    inbox.removeEventListener('change', changeField)
    inbox.removeEventListener('click', clickInbox)
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
  if (event.code === 'KeyJ' || event.code === 'KeyK') moveToItem(inbox, event.code === 'KeyJ')
  else if (event.code === 'KeyX') focusedRow()?.querySelector<HTMLInputElement>('[data-select]')?.click()
  else if (!runKeyControl(inbox, event)) return
  event.preventDefault()
}

/** Follows the link to the next or previous item, or focuses the next or previous row of the list. */
function moveToItem(inbox: HTMLElement, isForward: boolean): void {
  const step = inbox.querySelector<HTMLAnchorElement>(isForward ? '[data-next]' : '[data-previous]')
  if (step) {
    step.click()
    return
  }
  const links = [...inbox.querySelectorAll<HTMLAnchorElement>('[data-item]')]
  const currentIndex = links.findIndex((link) => link.closest('li') === focusedRow())
  links[isForward ? Math.min(currentIndex + 1, links.length - 1) : Math.max(currentIndex - 1, 0)]?.focus()
}

const focusedRow = (): Element | null => document.activeElement?.closest('[data-inbox] li') ?? null

/** Clicks the control of a key, or focuses the field; returns whether there is one. */
function runKeyControl(inbox: HTMLElement, event: KeyboardEvent): boolean {
  const control = findKeyControl(inbox, event)
  if (!control) return false
  if (control.matches('textarea')) control.focus()
  else control.click()
  return true
}
