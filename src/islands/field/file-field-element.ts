import { readPageLocale } from '#islands/stores/page-locale.ts'
import { formatBytes } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { createElement } from './field-dialog.ts'
import { loadFieldStrings } from './field-strings.ts'
import { matchesAccept } from './matches-accept.ts'

/**
 * A field for one file, with the markup of islands/field/FileField.tsx: shows the chosen file in the language of the
 * page, accepts a dropped file, replaces and removes it, and immediately refuses a file that is too large or of another
 * type.
 */
class FileFieldElement extends HTMLElement {
  private view: ReturnType<typeof createView> | null = null

  connectedCallback(): void {
    // React compares the markup of an island with its own output before hydration, so the markup must not change
    // before.
    const island = this.closest('astro-island[ssr]')
    if (island) island.addEventListener('astro:hydrate', () => void this.setUp(), { once: true })
    else void this.setUp()
  }

  private async setUp(): Promise<void> {
    const t = await loadFieldStrings()
    const input = this.querySelector('input')
    if (this.view || !input || !this.isConnected) return
    this.view = createView(t, this.dataset.label ?? '', input)
    input.classList.add('sr-only')
    input.tabIndex = -1
    this.append(this.view.box, this.view.message)
    input.addEventListener('change', () => this.check(t, input))
    this.view.choose.addEventListener('click', () => input.click())
    this.view.remove.addEventListener('click', () => {
      setFiles(input, null)
      this.view?.choose.focus()
    })
    this.addEventListener('dragover', (event) => {
      if (input.disabled) return
      event.preventDefault()
      this.view?.box.setAttribute('data-over', '')
    })
    this.addEventListener('dragleave', () => this.view?.box.removeAttribute('data-over'))
    this.addEventListener('drop', (event) => {
      event.preventDefault()
      this.view?.box.removeAttribute('data-over')
      if (!input.disabled && event.dataTransfer?.files.length) setFiles(input, event.dataTransfer.files)
    })
    this.check(t, input)
  }

  private check(t: Translate, input: HTMLInputElement): void {
    const { view } = this
    const [file] = input.files ?? []
    if (!view) return
    const max = Number(this.dataset.max) || Number.POSITIVE_INFINITY
    const problem =
      file && file.size > max ? 'tooLarge' : file && !matchesAccept(file, input.accept) ? 'otherType' : null
    if (file && problem) {
      // The change event that follows reports the removal.
      setFiles(input, null)
      view.message.textContent = t(`field:file.${problem}`, {
        name: file.name,
        max: formatBytes(max, readPageLocale()),
      })
      return
    }
    view.message.textContent = ''
    view.name.textContent = file ? `${file.name} · ${formatBytes(file.size, readPageLocale())}` : t('field:file.drop')
    view.choose.textContent = t(file ? 'field:file.replace' : 'field:file.choose')
    view.choose.setAttribute('aria-label', `${view.choose.textContent}: ${this.dataset.label}`)
    view.remove.hidden = !file
  }
}

function createView(t: Translate, label: string, input: HTMLInputElement) {
  const described = input.getAttribute('aria-describedby') ?? undefined
  const disabled = input.disabled ? '' : undefined
  const name = createElement('span', { class: 'file-field-name', role: 'status' })
  const choose = createElement('button', {
    type: 'button',
    class: 'btn btn-sm',
    'aria-describedby': described,
    disabled,
  })
  const remove = createElement(
    'button',
    { type: 'button', class: 'btn btn-ghost btn-sm', 'aria-label': `${t('field:file.remove')}: ${label}`, disabled },
    [t('field:file.remove')],
  )
  const box = createElement('div', { class: 'file-field-box' }, [name, choose, remove])
  const message = createElement('p', { class: 'field-error', role: 'alert' })
  return { box, name, choose, remove, message }
}

function setFiles(input: HTMLInputElement, files: FileList | null): void {
  const [file] = files ?? []
  const transfer = new DataTransfer()
  if (file) transfer.items.add(file)
  input.files = transfer.files
  input.dispatchEvent(new Event('input', { bubbles: true }))
  input.dispatchEvent(new Event('change', { bubbles: true }))
}

if (!customElements.get('file-field')) customElements.define('file-field', FileFieldElement)
