import { deviceVault } from '#islands/stores/draft/draft-vault.ts'
import { refreshPage } from '#islands/stores/page.ts'

type Fields = Record<string, string>

const PAUSE_MS = 300
/** What the server writes into the form, and files, which a page cannot put back. */
const NOT_KEPT = new Set(['act', 'version', 'cover'])

/**
 * Keeps what is typed into a course's settings on this device until it is saved: a closed tab or a lost session takes
 * nothing away. What was typed on an older version goes back with that version, so the school says who changed it.
 */
export function keepSettings(form: HTMLFormElement): () => void {
  const { owner = '', course = '', title = '' } = form.dataset
  const vault = deviceVault<Fields>(owner, `course/settings/${course}`)
  const version = form.elements.namedItem('version')
  let timer: ReturnType<typeof setTimeout> | undefined
  const write = () => {
    const baseVersion = version instanceof HTMLInputElement ? Number(version.value) : 0
    const href = `${location.pathname}?tab=settings`
    const kept = vault.write({ value: fieldsOf(form), baseVersion, changedAt: Date.now(), title, href })
    void kept.then(() => form.setAttribute('data-kept', ''))
  }
  const typed = () => {
    clearTimeout(timer)
    timer = setTimeout(write, PAUSE_MS)
  }
  form.addEventListener('input', typed)
  void vault.left().then(async (left) => {
    const [newest] = left
    // A page that says "saved" has it all; one that shows a refusal has what was typed last.
    const stale = new URLSearchParams(location.search).get('said') === 'saved' || form.dataset.refused !== undefined
    if (stale || !newest || !fill(form, newest.record.value)) {
      for (const one of left) await vault.drop(one)
      return
    }
    if (version instanceof HTMLInputElement) version.value = String(newest.record.baseVersion)
    offerDiscard(form, async () => {
      for (const one of left) await vault.drop(one)
      await vault.remove()
    })
  })
  return () => {
    clearTimeout(timer)
    if (form.dataset.changed) write()
    form.removeEventListener('input', typed)
    vault.close()
  }
}

function fieldsOf(form: HTMLFormElement): Fields {
  const fields: Fields = {}
  for (const [name, value] of new FormData(form)) {
    if (typeof value === 'string' && !NOT_KEPT.has(name)) fields[name] = value
  }
  return fields
}

/** Whether anything differs from what the page shows. */
function fill(form: HTMLFormElement, fields: Fields): boolean {
  const before = JSON.stringify(fieldsOf(form))
  remake(form, fields)
  for (const control of form.elements) {
    if (control instanceof HTMLInputElement && control.type === 'checkbox') control.checked = control.name in fields
    else if (control instanceof HTMLSelectElement) choose(control, fields[control.name])
    else if (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement) {
      const kept = NOT_KEPT.has(control.name) ? undefined : fields[control.name]
      if (kept !== undefined) control.value = kept
    }
  }
  return JSON.stringify(fieldsOf(form)) !== before
}

/** Fields that only a script makes: the description's text, and a cover from the storage. */
const MADE = ['description', 'coverFileId']

function remake(form: HTMLFormElement, fields: Fields): void {
  for (const name of MADE) {
    const value = fields[name]
    if (value === undefined || form.elements.namedItem(name)) continue
    const made = Object.assign(document.createElement('input'), { type: 'hidden', name, value })
    form.append(made)
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
