import { navigateTo, onPage } from '#islands/stores/page.ts'
import { prepareReactRefresh } from '#islands/stores/react-refresh.ts'
import type { AccessPanelProps, AccessSelection } from './access.ts'

/*
 * The matrix is plain HTML: selecting students and lessons and opening an explanation needs only this script. The panel
 * with actions is loaded with the first selection.
 */
onPage(() => {
  const place = document.querySelector<HTMLElement>('#access-panel')
  const table = document.querySelector<HTMLTableElement>('[data-matrix]')
  const listeners = new AbortController()
  const { signal } = listeners
  let close = () => {}
  if (table) {
    table.addEventListener('click', (event) => openExplanation(table, event.target), { signal })
    table.addEventListener('keydown', (event) => moveFocus(table, event), { signal })
  }
  if (place) {
    const panel = createPanel(place)
    close = panel.close
    document.addEventListener(
      'change',
      ({ target }) => {
        if (!(target instanceof HTMLInputElement) || !('pick' in target.dataset)) return
        if (target.dataset.pick === 'all') checkAll(target.checked)
        if (target.dataset.pick === 'student') syncCheckboxes(target)
        panel.show(readSelection())
      },
      { signal },
    )
    if (readSelection().students.length > 0) panel.show(readSelection())
  }
  return () => {
    listeners.abort()
    close()
  }
})

interface MountedPanel {
  show: (props: AccessPanelProps) => void
  close: () => void
}

function createPanel(container: HTMLElement) {
  const props: Omit<AccessPanelProps, 'selection' | 'onClear'> = JSON.parse(container.dataset.props ?? '')
  let isClosed = false
  let mounted: MountedPanel | null = null
  let latest: AccessSelection | null = null
  const clearSelection = () => {
    for (const box of findCheckboxes('')) box.checked = false
    showPanel(readSelection())
  }
  const showPanel = (selection: AccessSelection) => {
    latest = selection
    mounted?.show({ ...props, selection, onClear: clearSelection })
    if (!mounted) void loadPanel()
  }
  const loadPanel = async () => {
    prepareReactRefresh()
    const { mountAccessPanel } = await import('./AccessPanelMount.tsx')
    if (isClosed || mounted || !latest) return
    mounted = mountAccessPanel(container)
    mounted.show({ ...props, selection: latest, onClear: clearSelection })
  }
  return {
    show: showPanel,
    close: () => {
      isClosed = true
      mounted?.close()
    },
  }
}

function findCheckboxes(kind: '' | 'student' | 'lesson' | 'all'): HTMLInputElement[] {
  return [...document.querySelectorAll<HTMLInputElement>(kind === '' ? '[data-pick]' : `[data-pick="${kind}"]`)]
}

function readSelection(): AccessSelection {
  const ids = (kind: 'student' | 'lesson') => [
    ...new Set(findCheckboxes(kind).flatMap((box) => (box.checked ? [box.value] : []))),
  ]
  return { students: ids('student'), lessons: ids('lesson') }
}

function checkAll(checked: boolean): void {
  for (const box of [...findCheckboxes('student'), ...findCheckboxes('all')]) box.checked = checked
}

/** A student has a checkbox in the table and, on phones, one on a card. */
function syncCheckboxes({ value, checked }: HTMLInputElement): void {
  for (const box of findCheckboxes('student')) if (box.value === value) box.checked = checked
}

function openExplanation(table: HTMLTableElement, target: EventTarget | null): void {
  const cell = target instanceof Element ? target.closest<HTMLTableCellElement>('td') : null
  const student = cell?.closest('tr')?.dataset.student
  const lesson = cell && table.querySelectorAll<HTMLElement>('[data-lesson]')[cell.cellIndex - 1]?.dataset.lesson
  if (!student || !lesson) return
  const address = new URL(location.href)
  address.searchParams.set('why', `${student}.${lesson}`)
  address.hash = 'why'
  navigateTo(address.pathname + address.search + address.hash)
}

const ARROW_STEPS: Record<string, readonly [number, number]> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
}

/** The matrix has one tab stop; arrow keys move between cells, Enter opens the explanation. */
function moveFocus(table: HTMLTableElement, event: KeyboardEvent): void {
  const cell = event.target instanceof HTMLTableCellElement ? event.target : null
  const row = cell?.parentElement instanceof HTMLTableRowElement ? cell.parentElement : null
  if (!cell || !row) return
  if (event.key === 'Enter') openExplanation(table, cell)
  const step = ARROW_STEPS[event.key]
  if (!step) return
  event.preventDefault()
  const next = table.tBodies[0]?.rows[row.sectionRowIndex + step[0]]?.cells[cell.cellIndex + step[1]]
  if (!(next instanceof HTMLTableCellElement) || next.tagName !== 'TD') return
  cell.tabIndex = -1
  next.tabIndex = 0
  next.focus()
}
