import { expect, test } from 'vitest'
import { sayAbout, searched } from '#islands/autowebinar/script.ts'
import type { EntryContent, ScriptEntry } from '#lib/autowebinar/schema.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'

const t: Translate = (key, variables) => [key, ...Object.values(variables ?? {})].join(' ')

function line(id: string, name: string, text: string): ScriptEntry {
  const payload = { messageId: id, author: { name, role: 'viewer' as const }, text, replyTo: null, held: null }
  return { id, type: 'message', track: 'chat', offsetMs: 0, position: 0, version: 1, payload }
}

test('finds lines by a word and by who says it, whatever the case', () => {
  const lines = [line('1', 'Марія Г.', 'Гарний приклад'), line('2', 'Іван Ф.', 'Записую'), line('3', 'Ольга', 'МАРІЄ!')]
  const found = (text: string) => searched(lines, text, t).map(({ id }) => id)
  expect(found('марі')).toEqual(['1', '3'])
  expect(found(' запис ')).toEqual(['2'])
  expect(found('немає')).toEqual([])
  expect(searched([line('4', 'Дем’ян', 'Так')], "дем'ян", t)).toHaveLength(1)
  expect(searched(lines, ' ', t)).toBe(lines)
})

test('says a mode and a slide in words, never as the log calls them', () => {
  const mode: EntryContent = { type: 'presentation.change', payload: { mode: 'presentationAndBroadcast' } }
  expect(sayAbout(mode, t)).toBe('autowebinar:mode.presentationAndBroadcast')
  const slide: EntryContent = { type: 'slide.change', payload: { fileId: '', page: 4 } }
  expect(sayAbout(slide, t)).toBe('autowebinar:script.slide 4')
})
