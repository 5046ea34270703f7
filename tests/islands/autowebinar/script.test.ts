import { expect, test } from 'vitest'
import { formatEntry, searchEntries } from '#islands/autowebinar/script.ts'
import type { EntryContent, ScriptEntry } from '#lib/autowebinar/schema.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'

const t: Translate = (key, variables) => [key, ...Object.values(variables ?? {})].join(' ')

function entry(id: string, name: string, text: string): ScriptEntry {
  const payload = { messageId: id, author: { name, role: 'viewer' as const }, text, replyTo: null, holdReason: null }
  return { id, type: 'message', track: 'chat', offsetMs: 0, position: 0, version: 1, payload }
}

test('finds entries by text and author, ignoring case', () => {
  const entries = [
    entry('1', 'Марія Г.', 'Гарний приклад'),
    entry('2', 'Іван Ф.', 'Записую'),
    entry('3', 'Ольга', 'МАРІЄ!'),
  ]
  const search = (text: string) => searchEntries(entries, text, t).map(({ id }) => id)
  expect(search('марі')).toEqual(['1', '3'])
  expect(search(' запис ')).toEqual(['2'])
  expect(search('немає')).toEqual([])
  expect(searchEntries([entry('4', 'Дем’ян', 'Так')], "дем'ян", t)).toHaveLength(1)
  expect(searchEntries(entries, ' ', t)).toBe(entries)
})

test('describes a mode and a slide by translated texts', () => {
  const mode: EntryContent = { type: 'presentation.change', payload: { mode: 'presentationAndBroadcast' } }
  expect(formatEntry(mode, t)).toBe('autowebinar:mode.presentationAndBroadcast')
  const slide: EntryContent = { type: 'slide.change', payload: { fileId: '', page: 4 } }
  expect(formatEntry(slide, t)).toBe('autowebinar:script.slide 4')
})
