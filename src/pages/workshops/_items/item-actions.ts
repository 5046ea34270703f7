import type { Actor } from '#lib/core/shared/actor.ts'
import type { ItemKind } from '#lib/core/shared/event/live-event.ts'
import { ITEM_KINDS } from '#lib/core/shared/event/live-event.ts'
import { AddItem, MoveItem, SaveItem } from '#lib/workshop/schema.ts'
import { addItem, deleteItem, moveEventItem, restoreItem, saveItem } from '#lib/workshop/settings/item.ts'
import { formNumber, formText } from '../../_request/form-actions.ts'
import { parseId } from '../../_request/id-param.ts'

type Page = (tab: string, notice: string) => Promise<string>

/** Form actions for buttons, polls and hand-outs. */
export function createItemActions(actor: Actor, workshopId: string, page: Page) {
  const kindOf = (form: FormData): ItemKind => ITEM_KINDS.find((kind) => kind === formText(form, 'kind')) ?? 'button'
  const itemId = (form: FormData) => parseId(formText(form, 'itemId'))
  const back = async (query = '') => `${await page('materials', 'saved')}${query}`
  return {
    addItem: async (form: FormData) => {
      const kind = kindOf(form)
      await addItem(actor, AddItem.parse({ workshopId, kind, content: CONTENT[kind](form) }))
      return back(`#${kind}`)
    },
    saveItem: async (form: FormData) => {
      const kind = kindOf(form)
      await saveItem(actor, SaveItem.parse({ itemId: itemId(form), kind, content: CONTENT[kind](form) }))
      return back(`#${kind}`)
    },
    moveItem: async (form: FormData) => {
      await moveEventItem(actor, MoveItem.parse({ itemId: itemId(form), by: formText(form, 'by') === '-1' ? -1 : 1 }))
      return back(`#${kindOf(form)}`)
    },
    deleteItem: async (form: FormData) => {
      await deleteItem(actor, { itemId: itemId(form) })
      return back(`&gone=${itemId(form)}`)
    },
    restoreItem: async (form: FormData) => {
      await restoreItem(actor, { itemId: itemId(form) })
      return back()
    },
  }
}

const CONTENT: Record<ItemKind, (form: FormData) => Record<string, unknown>> = {
  button: (form) => ({
    label: formText(form, 'label'),
    url: formText(form, 'url').trim(),
    style: formText(form, 'style') || 'primary',
    placement: formText(form, 'placement') || 'underVideo',
    countdownSeconds: minutesOf(form, 'countdownMinutes'),
    quantityLeft: formNumber(form, 'quantityLeft'),
  }),
  poll: (form) => {
    const lines = formText(form, 'options')
      .split(/\r?\n/)
      .map((optionLine) => optionLine.trim())
      .filter((optionLine) => optionLine !== '')
    const kind = formText(form, 'pollKind') || 'single'
    return {
      question: formText(form, 'question'),
      kind,
      options: kind === 'rating' ? [] : lines.map((optionLine) => optionLine.replace(/^\*\s*/, '')),
      right: kind === 'quiz' ? lines.flatMap((optionLine, place) => (optionLine.startsWith('*') ? [place] : [])) : [],
      showResults: formText(form, 'showResults') || 'always',
    }
  },
  handout: (form) => ({
    title: formText(form, 'title'),
    fileId: form.has('noFile') ? null : formText(form, 'fileId') || null,
    url: formText(form, 'url').trim() || null,
  }),
}

const minutesOf = (form: FormData, name: string): number | null => {
  const minutes = formNumber(form, name)
  return minutes === null ? null : Math.round(minutes * 60)
}
