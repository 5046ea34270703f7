const OPENING_KEYS: ReadonlySet<string> = new Set(['Enter', ' ', 'ArrowDown', 'ArrowUp', 'F4'])

/** A list of time zones (layouts/ui/ZoneField.astro) that opens a searchable dialog instead of the browser's list. */
class ZoneFieldElement extends HTMLElement {
  connectedCallback(): void {
    this.addEventListener('mousedown', this)
    this.addEventListener('keydown', this)
  }

  handleEvent(event: Event): void {
    const select = this.querySelector('select')
    if (!select || select.disabled || event.target !== select) return
    const { key = '' } = event instanceof KeyboardEvent ? event : {}
    const isLetter = key.length === 1 && key !== ' '
    if (event instanceof KeyboardEvent && (event.ctrlKey || event.metaKey || !(isLetter || OPENING_KEYS.has(key))))
      return
    event.preventDefault()
    select.focus()
    if (this.querySelector('dialog')) return
    void import('./zone-dialog.ts').then(({ openZoneDialog }) => openZoneDialog(this, select, isLetter ? key : ''))
  }
}

if (!customElements.get('zone-field')) customElements.define('zone-field', ZoneFieldElement)
