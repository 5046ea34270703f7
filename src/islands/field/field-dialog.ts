type Child = Node | string

/** Creates an element with attributes and children; undefined attributes are omitted. */
export function createElement<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string | undefined>> = {},
  children: readonly Child[] = [],
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(name, value)
  element.append(...children)
  return element
}

/**
 * Opens a modal dialog next to a field, inside the field's element, so that surrounding dialogs treat it as their
 * content. Esc and a click outside close it, and the focus returns to the previous element.
 */
export function openFieldDialog(field: HTMLElement, label: string, content: readonly Node[]): HTMLDialogElement {
  const dialog = createElement('dialog', { class: 'floating field-dialog no-print', 'aria-label': label }, content)
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close()
  })
  // Input in the dialog must not be treated as input of the field's form, and Esc must not close surrounding dialogs.
  for (const type of ['input', 'change', 'keydown', 'datechange'] as const) {
    dialog.addEventListener(type, (event) => event.stopPropagation())
  }
  dialog.addEventListener('close', () => dialog.remove())
  field.append(dialog)
  dialog.showModal()
  placeBeside(dialog, field)
  return dialog
}

const GAP_PX = 4
const PHONE_WIDTH_PX = 480

/** Below the field, or above it when there is no space; centered on a phone. */
function placeBeside(dialog: HTMLDialogElement, field: HTMLElement): void {
  if (innerWidth < PHONE_WIDTH_PX) return
  const anchor = field.getBoundingClientRect()
  const { width, height } = dialog.getBoundingClientRect()
  const below = anchor.bottom + GAP_PX
  const above = anchor.top - GAP_PX - height
  const top = below + height <= innerHeight || above < 0 ? below : above
  dialog.style.margin = '0'
  dialog.style.left = `${Math.max(GAP_PX, Math.min(anchor.left, innerWidth - width - GAP_PX))}px`
  dialog.style.top = `${Math.max(GAP_PX, Math.min(top, innerHeight - height - GAP_PX))}px`
}
