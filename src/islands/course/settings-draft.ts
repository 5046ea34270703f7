import { createDeviceDraftStore } from '#islands/stores/draft/device-draft-store.ts'
import { refreshPage } from '#islands/stores/page.ts'

type Fields = Record<string, string>

const DEBOUNCE_MS = 300
/** Fields that the server sets, and files, which cannot be restored. */
const NOT_SAVED = new Set(['intent', 'version', 'revision', 'cover'])

/**
 * Stores the text typed into a form of the course editor on this device until it is saved. A draft of an older version
 * is restored with that version, so that the server detects the conflict.
 */
export function bindSettingsDraft(form: HTMLFormElement): () => void {
  const { owner = '', draftKey = '', draftHref = '', title = '' } = form.dataset
  const store = createDeviceDraftStore<Fields>(owner, draftKey)
  const version = form.elements.namedItem('version')
  let timer: ReturnType<typeof setTimeout> | undefined
  const saveDraft = () => {
    const baseVersion = version instanceof HTMLInputElement ? Number(version.value) : 0
    const value = readFields(form)
    const saved = store.write({ value, baseVersion, changedAt: Date.now(), title, href: draftHref })
    void saved.then(() => form.setAttribute('data-kept', ''))
  }
  const onInput = () => {
    clearTimeout(timer)
    timer = setTimeout(saveDraft, DEBOUNCE_MS)
  }
  form.addEventListener('input', onInput)
  void store.listAbandoned().then(async (abandoned) => {
    const [newest] = abandoned
    // After "saved" the draft is obsolete; a page with a refusal contains the latest input.
    const { saved, refused } = form.dataset
    const isObsolete =
      new URLSearchParams(location.search).get('notice') === 'saved' || saved !== undefined || refused !== undefined
    if (isObsolete || !newest || !fillForm(form, newest.record.value)) {
      for (const draft of abandoned) await store.removeAbandoned(draft)
      return
    }
    if (version instanceof HTMLInputElement) version.value = String(newest.record.baseVersion)
    offerDiscard(form, async () => {
      for (const draft of abandoned) await store.removeAbandoned(draft)
      await store.remove()
    })
  })
  return () => {
    clearTimeout(timer)
    if (form.dataset.changed) saveDraft()
    form.removeEventListener('input', onInput)
    store.close()
  }
}

function readFields(form: HTMLFormElement): Fields {
  const fields: Fields = {}
  for (const [name, value] of new FormData(form)) {
    if (typeof value === 'string' && !NOT_SAVED.has(name)) fields[name] = value
  }
  return fields
}

/** Fills the form; returns whether any value changed. */
function fillForm(form: HTMLFormElement, fields: Fields): boolean {
  const before = JSON.stringify(readFields(form))
  remake(form, fields)
  for (const control of form.elements) {
    if (control instanceof HTMLInputElement && control.type === 'checkbox') control.checked = control.name in fields
    else if (control instanceof HTMLInputElement && control.type === 'radio')
      control.checked = control.value === fields[control.name]
    else if (control instanceof HTMLSelectElement) choose(control, fields[control.name])
    else if (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement) {
      const saved = NOT_SAVED.has(control.name) ? undefined : fields[control.name]
      if (saved === undefined) continue
      control.value = saved
      control.dispatchEvent(new Event('change', { bubbles: true }))
    }
  }
  return JSON.stringify(readFields(form)) !== before
}

/** Fields that only a script creates: the description's text, and a cover from the storage. */
const MADE = ['description', 'coverFileId']

function remake(form: HTMLFormElement, fields: Fields): void {
  for (const name of MADE) {
    const value = fields[name]
    if (value === undefined || form.elements.namedItem(name)) continue
    const input = Object.assign(document.createElement('input'), { type: 'hidden', name, value })
    form.append(input)
    const place = name === 'description' ? form.querySelector<HTMLElement>('[data-description]') : null
    if (place) place.dataset.description = value
  }
}

function choose(list: HTMLSelectElement, value: string | undefined): void {
  if (value !== undefined && [...list.options].some((option) => option.value === value)) list.value = value
}

function offerDiscard(form: HTMLFormElement, discard: () => Promise<void>): void {
  form.dataset.changed = 'true'
  const notice = form.querySelector<HTMLElement>('[data-restored]')
  notice?.removeAttribute('hidden')
  notice?.querySelector('button')?.addEventListener('click', () => {
    delete form.dataset.changed
    void discard().then(refreshPage)
  })
}
