import { onPage } from '#islands/stores/page.ts'
import { isTypingTarget } from '#islands/ui/key-target.ts'

/** The dialog of keyboard shortcuts: opened by `?` or the account menu, closed by Esc, its button or a click outside. */
const findDialog = () => document.querySelector<HTMLDialogElement>('#keys')

onPage(() => {
  for (const opener of document.querySelectorAll<HTMLButtonElement>('[data-keys-open]')) {
    opener.hidden = false
    opener.addEventListener('click', () => openDialog(findDialog()))
  }
  const dialog = findDialog()
  dialog?.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close()
  })
})

document.addEventListener('keydown', (event) => {
  if (event.key !== '?' || event.ctrlKey || event.metaKey || event.altKey || isTypingTarget(event.target)) return
  const dialog = findDialog()
  if (!dialog) return
  event.preventDefault()
  openDialog(dialog)
})

function openDialog(dialog: HTMLDialogElement | null) {
  if (!dialog || dialog.open || document.querySelector('[role="dialog"]')) return
  const mac = /Mac|iPhone|iPad/.test(navigator.userAgent)
  for (const key of dialog.querySelectorAll('[data-ctrl]')) key.textContent = mac ? '⌘' : 'Ctrl'
  for (const row of dialog.querySelectorAll<HTMLElement>('[data-where]')) {
    row.hidden = !document.querySelector(row.dataset.where ?? '')
  }
  dialog.showModal()
}
