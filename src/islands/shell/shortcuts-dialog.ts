import { onPage } from '#islands/stores/page.ts'

/** The list of the page's keys: `?` or the person's menu opens it, Esc, the button and a click beside it close it. */
const keysList = () => document.querySelector<HTMLDialogElement>('#keys')

onPage(() => {
  for (const opener of document.querySelectorAll<HTMLButtonElement>('[data-keys-open]')) {
    opener.hidden = false
    opener.addEventListener('click', () => open(keysList()))
  }
  const list = keysList()
  list?.addEventListener('click', (event) => {
    if (event.target === list) list.close()
  })
})

document.addEventListener('keydown', (event) => {
  if (event.key !== '?' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
  const list = keysList()
  if (!list) return
  event.preventDefault()
  open(list)
})

function open(list: HTMLDialogElement | null) {
  if (!list || list.open || document.querySelector('[role="dialog"]')) return
  const mac = /Mac|iPhone|iPad/.test(navigator.userAgent)
  for (const key of list.querySelectorAll('[data-ctrl]')) key.textContent = mac ? '⌘' : 'Ctrl'
  for (const row of list.querySelectorAll<HTMLElement>('[data-where]')) {
    row.hidden = !document.querySelector(row.dataset.where ?? '')
  }
  list.showModal()
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, select, textarea'))
}
