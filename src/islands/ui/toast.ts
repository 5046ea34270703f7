export interface ToastOptions {
  kind: 'success' | 'error' | 'info'
  text: string
  closeLabel: string
  onClose: () => void
  action?: { label: string; run: () => void } | undefined
}

/**
 * A toast as plain DOM: it must appear on pages without React, and when the network that would bring React is lost.
 */
export function createToast({ kind, text, closeLabel, onClose, action }: ToastOptions): HTMLElement {
  const card = make('div', 'floating toast-card')
  card.dataset.kind = kind
  const words = make('p', 'toast-text')
  words.textContent = text
  card.append(words)
  if (action) card.append(button('btn btn-sm', action.label, action.label, action.run))
  card.append(button('btn btn-ghost btn-sm btn-square', '×', closeLabel, onClose))
  return card
}

function make(tag: string, className: string): HTMLElement {
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
