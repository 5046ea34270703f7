import { createDeviceDraftStore } from '#islands/stores/draft/draft-vault.ts'
import { refreshPage } from '#islands/stores/page.ts'
import { makeRoom } from './rows.ts'

type Fields = Record<string, string[]>

const PAUSE_MS = 300
/** What the server writes into the form. */
const NOT_KEPT = new Set(['act', 'version', 'notify'])

/**
 * Keeps what is typed into a form on this device until it is saved: a closed tab or a lost session takes nothing away.
 * What was typed on an older version goes back with that version, so the school says who changed it.
 */
export function keepForm(form: HTMLFormElement): () => void {
  const { owner = '', keep = '', title = '' } = form.dataset
  if (!owner || !keep) return () => {}
  const vault = createDeviceDraftStore<Fields>(owner, keep)
  const version = form.elements.namedItem('version')
  let timer: ReturnType<typeof setTimeout> | undefined
  const write = () => {
    const baseVersion = version instanceof HTMLInputElement ? Number(version.value) : 0
    const href = location.pathname + location.search
    const kept = vault.write({ value: fieldsOf(form), baseVersion, changedAt: Date.now(), title, href })
    void kept.then(() => form.setAttribute('data-kept', ''))
  }
  const typed = () => {
    form.dataset.changed = 'true'
    clearTimeout(timer)
    timer = setTimeout(write, PAUSE_MS)
  }
  form.addEventListener('input', typed)
  void vault.listAbandoned().then(async (left) => {
    const [newest] = left
    // A page that says what was done has it all; one that shows a refusal has what was typed last.
    const stale = new URLSearchParams(location.search).has('said') || form.dataset.refused !== undefined
    if (stale || !newest || !fill(form, newest.record.value)) {
      for (const one of left) await vault.removeAbandoned(one)
      return
    }
    if (version instanceof HTMLInputElement) version.value = String(newest.record.baseVersion)
    form.dataset.changed = 'true'
    const notice = form.querySelector<HTMLElement>('[data-restored]')
    notice?.removeAttribute('hidden')
    notice?.querySelector('button')?.addEventListener('click', () => {
      delete form.dataset.changed
      void Promise.all([...left.map((one) => vault.removeAbandoned(one)), vault.remove()]).then(refreshPage)
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
    if (typeof value === 'string' && !NOT_KEPT.has(name)) fields[name] = [...(fields[name] ?? []), value]
  }
  return fields
}

/** Whether anything differs from what the page shows. Of a name that comes several times, each has its place. */
function fill(form: HTMLFormElement, fields: Fields): boolean {
  const before = JSON.stringify(fieldsOf(form))
  makeRoom(form, Object.keys(fields))
  const places = new Map<string, number>()
  for (const control of form.elements) {
    if (control instanceof HTMLInputElement && (control.type === 'checkbox' || control.type === 'radio')) {
      control.checked = fields[control.name]?.includes(control.value) ?? false
    } else if (isText(control) && !NOT_KEPT.has(control.name)) {
      const place = places.get(control.name) ?? 0
      places.set(control.name, place + 1)
      const kept = fields[control.name]?.[place]
      if (kept !== undefined) control.value = kept
    }
  }
  return JSON.stringify(fieldsOf(form)) !== before
}

function isText(control: Element): control is HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement {
  return (
    control instanceof HTMLInputElement ||
    control instanceof HTMLTextAreaElement ||
    control instanceof HTMLSelectElement
  )
}
