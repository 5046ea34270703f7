import { ensureRows } from '#islands/field/row-list.ts'
import { createDeviceDraftStore } from '#islands/stores/draft/device-draft-store.ts'
import { refreshPage } from '#islands/stores/page.ts'

type Fields = Record<string, string[]>

const SAVE_DEBOUNCE_MS = 300
/** Fields that the server fills in. */
const SERVER_FIELDS = new Set(['intent', 'version', 'notify'])

/**
 * Stores the draft of a form on this device until it is saved, so that a closed tab or an expired login session loses
 * nothing. A draft keeps the version that it is based on, so that the server detects a conflict.
 */
export function saveFormDraft(form: HTMLFormElement): () => void {
  const { owner = '', keep: draftKey = '', title = '' } = form.dataset
  if (!owner || !draftKey) return () => {}
  const draftStore = createDeviceDraftStore<Fields>(owner, draftKey)
  const version = form.elements.namedItem('version')
  let timer: ReturnType<typeof setTimeout> | undefined
  const writeDraft = () => {
    const baseVersion = version instanceof HTMLInputElement ? Number(version.value) : 0
    const href = location.pathname + location.search
    const written = draftStore.write({ value: readFields(form), baseVersion, changedAt: Date.now(), title, href })
    void written.then(() => form.setAttribute('data-kept', ''))
  }
  const handleInput = () => {
    form.dataset.changed = 'true'
    clearTimeout(timer)
    timer = setTimeout(writeDraft, SAVE_DEBOUNCE_MS)
  }
  form.addEventListener('input', handleInput)
  void draftStore.listAbandoned().then(async (drafts) => {
    const [newest] = drafts
    // A page with a success message contains the saved values, a page with a refusal the submitted ones.
    const isStale = new URLSearchParams(location.search).has('notice') || form.dataset.refused !== undefined
    if (isStale || !newest || !fillForm(form, newest.record.value)) {
      for (const draft of drafts) await draftStore.removeAbandoned(draft)
      return
    }
    if (version instanceof HTMLInputElement) version.value = String(newest.record.baseVersion)
    form.dataset.changed = 'true'
    const notice = form.querySelector<HTMLElement>('[data-restored]')
    notice?.removeAttribute('hidden')
    notice?.querySelector('button')?.addEventListener('click', () => {
      delete form.dataset.changed
      void Promise.all([...drafts.map((draft) => draftStore.removeAbandoned(draft)), draftStore.remove()]).then(
        refreshPage,
      )
    })
  })
  return () => {
    clearTimeout(timer)
    if (form.dataset.changed) writeDraft()
    form.removeEventListener('input', handleInput)
    draftStore.close()
  }
}

function readFields(form: HTMLFormElement): Fields {
  const fields: Fields = {}
  for (const [name, value] of new FormData(form)) {
    if (typeof value === 'string' && !SERVER_FIELDS.has(name)) fields[name] = [...(fields[name] ?? []), value]
  }
  return fields
}

/** Fills the form with the fields; values of a repeated name by index. Returns whether anything changed. */
function fillForm(form: HTMLFormElement, fields: Fields): boolean {
  const before = JSON.stringify(readFields(form))
  ensureRows(form, Object.keys(fields))
  const indexByName = new Map<string, number>()
  for (const control of form.elements) {
    if (control instanceof HTMLInputElement && (control.type === 'checkbox' || control.type === 'radio')) {
      control.checked = fields[control.name]?.includes(control.value) ?? false
    } else if (isTextControl(control) && !SERVER_FIELDS.has(control.name)) {
      const index = indexByName.get(control.name) ?? 0
      indexByName.set(control.name, index + 1)
      const value = fields[control.name]?.[index]
      if (value === undefined) continue
      control.value = value
      // Date fields show the value in their format.
      control.dispatchEvent(new Event('change', { bubbles: true }))
    }
  }
  return JSON.stringify(readFields(form)) !== before
}

function isTextControl(control: Element): control is HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement {
  return (
    control instanceof HTMLInputElement ||
    control instanceof HTMLTextAreaElement ||
    control instanceof HTMLSelectElement
  )
}
