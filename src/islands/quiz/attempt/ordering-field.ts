import type { Translate } from '#lib/core/shared/text/strings.ts'

interface OrderingContext {
  t: Translate
  announce(text: string): void
  /** The positions have changed. */
  onChange(list: HTMLElement): void
}

/** Replaces the lists of positions by buttons that move an item up and down. */
export function enhanceOrdering(question: HTMLElement, { t, announce, onChange }: OrderingContext): void {
  const list = question.querySelector<HTMLElement>('[data-order]')
  if (!list || list.querySelector('select:disabled')) return
  const hint = question.querySelector<HTMLElement>('[data-order-hint]')
  const keep = question.querySelector<HTMLElement>('[data-keep-order]')
  const items = () => [...list.querySelectorAll<HTMLElement>('[data-item]')]
  const number = () => {
    for (const [index, item] of items().entries()) {
      const select = item.querySelector('select')
      if (select) select.value = String(index + 1)
    }
    if (hint) hint.hidden = true
    onChange(list)
  }
  for (const item of items()) {
    item.querySelector('select')?.setAttribute('hidden', '')
    item.querySelector<HTMLElement>('[data-moves]')?.removeAttribute('hidden')
  }
  keep?.removeAttribute('hidden')
  keep?.addEventListener('click', number)
  list.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-move]') : null
    const item = button?.closest<HTMLElement>('[data-item]')
    if (!button || !item) return
    const all = items()
    const index = all.indexOf(item)
    const place = index + Number(button.dataset.move)
    const other = all[place]
    if (!other) return
    if (place < index) other.before(item)
    else other.after(item)
    button.focus()
    number()
    announce(t('attempt:page.orderMoved', { text: item.dataset.text ?? '', position: place + 1, count: all.length }))
  })
}

/** Sorts the items by their positions, after these were changed by another device. */
export function sortByPosition(question: HTMLElement): void {
  const list = question.querySelector<HTMLElement>('[data-order]')
  if (!list) return
  const position = (item: Element) => Number(item.querySelector('select')?.value) || 0
  const items = [...list.querySelectorAll('[data-item]')]
  const isAnswered = items.every((item) => position(item) > 0)
  if (isAnswered) for (const item of items.toSorted((a, b) => position(a) - position(b))) list.append(item)
  const hint = question.querySelector<HTMLElement>('[data-order-hint]')
  if (hint) hint.hidden = isAnswered
}
