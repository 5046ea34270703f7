export interface ToastOptions {
  kind: 'success' | 'error' | 'info'
  text: string
  closeLabel: string
  onClose: () => void
  action?: { label: string; run: () => void } | undefined
}

/**
 * Creates a toast as plain DOM: it must work on pages without React and when React cannot be loaded.
 */
export function createToast({ kind, text, closeLabel, onClose, action }: ToastOptions): HTMLElement {
  const card = createElement('div', 'floating toast-card')
  card.dataset.kind = kind
  const message = createElement('p', 'toast-text')
  message.textContent = text
  card.append(message)
  if (action) card.append(button('btn btn-sm', action.label, action.label, action.run))
  card.append(button('btn btn-ghost btn-sm btn-square', '×', closeLabel, onClose))
  return card
}

function createElement(tag: string, className: string): HTMLElement {
  const element = document.createElement(tag)
  element.className = className
  return element
}

function button(className: string, text: string, label: string, run: () => void): HTMLButtonElement {
  const element = document.createElement('button')
  element.type = 'button'
  element.className = className
  element.textContent = text
  element.setAttribute('aria-label', label)
  element.addEventListener('click', run)
  return element
}
