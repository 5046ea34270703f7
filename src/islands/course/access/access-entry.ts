import { readyForReact } from '#islands/stores/late.ts'
import { goTo, onPage } from '#islands/stores/page.ts'
import type { DeskProps, Picked } from './access.ts'

/*
 * The matrix is plain HTML: ticking students and lessons, and going from a cell to its reasons, needs no more than this.
 * What acts on them comes with the first tick.
 */
onPage(() => {
  const place = document.querySelector<HTMLElement>('#access-desk')
  const table = document.querySelector<HTMLTableElement>('[data-matrix]')
  const forget = new AbortController()
  const { signal } = forget
  let close = () => {}
  if (table) {
    table.addEventListener('click', (event) => ask(table, event.target), { signal })
    table.addEventListener('keydown', (event) => walk(table, event), { signal })
  }
  if (place) {
    const desk = deskOf(place)
    close = desk.close
    document.addEventListener(
      'change',
      ({ target }) => {
        if (!(target instanceof HTMLInputElement) || !('pick' in target.dataset)) return
        if (target.dataset.pick === 'all') tickAll(target.checked)
        if (target.dataset.pick === 'student') alike(target)
        desk.show(picked())
      },
      { signal },
    )
    if (picked().students.length > 0) desk.show(picked())
  }
  return () => {
    forget.abort()
    close()
  }
})

function deskOf(place: HTMLElement) {
  const props: Omit<DeskProps, 'picked' | 'onClear'> = JSON.parse(place.dataset.props ?? '')
  let gone = false
  let mounted: { show: (props: DeskProps) => void; close: () => void } | null = null
  let latest: Picked | null = null
  const clear = () => {
    for (const box of boxes('')) box.checked = false
    show(picked())
  }
  const show = (now: Picked) => {
    latest = now
    mounted?.show({ ...props, picked: now, onClear: clear })
    if (!mounted) void load()
  }
  const load = async () => {
    readyForReact()
    const { mountDesk } = await import('./AccessDeskMount.tsx')
    if (gone || mounted || !latest) return
    mounted = mountDesk(place)
    mounted.show({ ...props, picked: latest, onClear: clear })
  }
  return {
    show,
    close: () => {
      gone = true
      mounted?.close()
    },
  }
}

function boxes(kind: '' | 'student' | 'lesson' | 'all'): HTMLInputElement[] {
  return [...document.querySelectorAll<HTMLInputElement>(kind === '' ? '[data-pick]' : `[data-pick="${kind}"]`)]
}

function picked(): Picked {
  const ids = (kind: 'student' | 'lesson') => [
    ...new Set(boxes(kind).flatMap((box) => (box.checked ? [box.value] : []))),
  ]
  return { students: ids('student'), lessons: ids('lesson') }
}

function tickAll(checked: boolean): void {
  for (const box of [...boxes('student'), ...boxes('all')]) box.checked = checked
}

/** A student stands in the table and, for phones, on a card. */
function alike({ value, checked }: HTMLInputElement): void {
  for (const box of boxes('student')) if (box.value === value) box.checked = checked
}

function ask(table: HTMLTableElement, target: EventTarget | null): void {
  const cell = target instanceof Element ? target.closest<HTMLTableCellElement>('td') : null
  const student = cell?.closest('tr')?.dataset.student
  const lesson = cell && table.querySelectorAll<HTMLElement>('[data-lesson]')[cell.cellIndex - 1]?.dataset.lesson
  if (!student || !lesson) return
  const address = new URL(location.href)
  address.searchParams.set('why', `${student}.${lesson}`)
  address.hash = 'why'
  goTo(address.pathname + address.search + address.hash)
}

const STEPS: Record<string, readonly [number, number]> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
}

/** One stop for the Tab key; the arrows walk over the cells, Enter asks why. */
function walk(table: HTMLTableElement, event: KeyboardEvent): void {
  const cell = event.target instanceof HTMLTableCellElement ? event.target : null
  const row = cell?.parentElement instanceof HTMLTableRowElement ? cell.parentElement : null
  if (!cell || !row) return
  if (event.key === 'Enter') ask(table, cell)
  const step = STEPS[event.key]
  if (!step) return
  event.preventDefault()
  const next = table.tBodies[0]?.rows[row.sectionRowIndex + step[0]]?.cells[cell.cellIndex + step[1]]
  if (!(next instanceof HTMLTableCellElement) || next.tagName !== 'TD') return
  cell.tabIndex = -1
  next.tabIndex = 0
  next.focus()
}
