import { createDeviceDraftStore } from '#islands/stores/draft/device-draft-store.ts'
import { refreshPage } from '#islands/stores/page.ts'
import { tabStorage } from '#islands/stores/safe-storage.ts'
import { ensureRows } from './row-list.ts'

/** The values of each field, by its name. */
export type FormFields = Record<string, string[]>

const SAVE_DEBOUNCE_MS = 300
/** In the storage of the tab: the key of the draft whose form was submitted last. */
const SUBMITTED_KEY = 'form-draft submitted'
/** Fields that the server fills in. */
const SERVER_FIELDS = new Set(['intent', 'version', 'revision', 'notify'])

/**
 * Stores the draft of a plain form on this device until it is saved, so that a closed tab or an expired login session loses
 * nothing. A draft stores the version that it is based on, so that the server detects a conflict. `createFields` adds
 * fields that only a script creates, before a draft is restored. Forms of one text use `bindTextDraft`.
 */
export function bindFormDraft(form: HTMLFormElement, createFields?: (fields: FormFields) => void): () => void {
  const { owner = '', draftKey = '', draftHref, title = '' } = form.dataset
  if (!owner || !draftKey) return () => {}
  const store = createDeviceDraftStore<FormFields>(owner, draftKey)
  const version = form.elements.namedItem('version')
  let timer: ReturnType<typeof setTimeout> | undefined
  let isClosed = false
  const writeDraft = async () => {
    const baseVersion = version instanceof HTMLInputElement ? Number(version.value) : 0
    const href = draftHref ?? location.pathname + location.search
    await store.write({ value: readFields(form), baseVersion, changedAt: Date.now(), title, href })
    form.setAttribute('data-draft-stored', '')
  }
  const handleInput = () => {
    form.dataset.changed = 'true'
    clearTimeout(timer)
    timer = setTimeout(() => void writeDraft(), SAVE_DEBOUNCE_MS)
  }
  const handleSubmit = () => tabStorage.setItem(SUBMITTED_KEY, draftKey)
  form.addEventListener('input', handleInput)
  form.addEventListener('submit', handleSubmit)
  void store.listAbandoned().then(async (drafts) => {
    // The page was left before its drafts were read: what was typed on it is a draft of its own.
    if (isClosed) return
    const [newest] = drafts
    // Drafts of other tabs stay: they are restored one after another.
    const removeNewest = async () => newest && store.removeAbandoned(newest)
    if (form.dataset.refused !== undefined) {
      // The page shows what was submitted. It is stored before its draft is removed.
      form.dataset.changed = 'true'
      await writeDraft()
      return removeNewest()
    }
    if (!newest || wasSaved(form, draftKey)) return removeNewest()
    if (!fillForm(form, withArrays(newest.record.value), createFields)) return removeNewest()
    if (version instanceof HTMLInputElement) version.value = String(newest.record.baseVersion)
    offerDiscard(form, () => store.remove())
    // From now on it is the draft of this tab, which changes it.
    await writeDraft()
    await removeNewest()
  })
  return () => {
    isClosed = true
    clearTimeout(timer)
    if (form.dataset.changed) void writeDraft()
    form.removeEventListener('input', handleInput)
    form.removeEventListener('submit', handleSubmit)
    store.close()
  }
}

/**
 * Whether the page contains the saved values of this form. A success message of the page belongs to the form that this tab
 * has submitted: a page can have several.
 */
function wasSaved({ dataset }: HTMLFormElement, draftKey: string): boolean {
  if (dataset.saved !== undefined) return true
  const submitted = tabStorage.getItem(SUBMITTED_KEY)
  const isNoticed = new URLSearchParams(location.search).get('notice') === 'saved'
  return isNoticed && (submitted === null || submitted === draftKey)
}

/** Drafts that were stored by an earlier version contain one value per name. */
const withArrays = (fields: Record<string, string | string[]>): FormFields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, Array.isArray(value) ? value : [value]]))

function readFields(form: HTMLFormElement): FormFields {
  const fields: FormFields = {}
  for (const [name, value] of new FormData(form)) {
    if (typeof value === 'string' && !SERVER_FIELDS.has(name)) fields[name] = [...(fields[name] ?? []), value]
  }
  return fields
}

/** Fills the form with the fields; values of a repeated name by index. Returns whether anything changed. */
function fillForm(form: HTMLFormElement, fields: FormFields, createFields?: (fields: FormFields) => void): boolean {
  const before = JSON.stringify(readFields(form))
  createFields?.(fields)
  ensureRows(form, Object.keys(fields))
  const indexByName = new Map<string, number>()
  for (const control of form.elements) {
    if (control instanceof HTMLInputElement && (control.type === 'checkbox' || control.type === 'radio')) {
      control.checked = fields[control.name]?.includes(control.value) ?? false
    } else if (isTextControl(control) && !SERVER_FIELDS.has(control.name)) {
      const index = indexByName.get(control.name) ?? 0
      indexByName.set(control.name, index + 1)
      const value = fields[control.name]?.[index]
      if (value === undefined || !acceptsValue(control, value)) continue
      control.value = value
      // Date fields show the value in their format.
      control.dispatchEvent(new Event('change', { bubbles: true }))
    }
  }
  return JSON.stringify(readFields(form)) !== before
}

type TextControl = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

const isTextControl = (control: Element): control is TextControl =>
  control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement || control instanceof HTMLSelectElement

/** A list keeps its selection when it no longer contains the value of the draft. */
const acceptsValue = (control: TextControl, value: string): boolean =>
  !(control instanceof HTMLSelectElement) || [...control.options].some((option) => option.value === value)

/** Shows the notice about restored values, whose button discards them. */
function offerDiscard(form: HTMLFormElement, discard: () => Promise<void>): void {
  form.dataset.changed = 'true'
  const notice = form.querySelector<HTMLElement>('[data-restored]')
  notice?.removeAttribute('hidden')
  notice?.querySelector('button')?.addEventListener('click', () => {
    delete form.dataset.changed
    void discard().then(refreshPage)
  })
}
