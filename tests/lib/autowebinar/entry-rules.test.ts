import { describe, expect, test } from 'vitest'
import {
  ADDABLE_TYPES,
  applyEntryForm,
  CLOSING_TYPES,
  createEntry,
  EMPTY_FORM,
  type EntryForm,
  toEntryForm,
} from '#lib/autowebinar/entry-rules.ts'
import type { EntryContent } from '#lib/autowebinar/schema.ts'
import type { ScriptEntryType } from '#lib/core/shared/event/auto-event.ts'

const author = { name: 'Оля', role: 'host' as const }
const message = { messageId: 'm', author, text: 'Вітаю', replyTo: null, holdReason: null }
const button = {
  label: 'Купити',
  url: 'https://school.ua',
  style: 'accent' as const,
  placement: 'chat' as const,
  countdownTo: null,
  countdownSeconds: 60,
  quantityLeft: 5,
}
const handout = { title: 'Конспект', fileId: 'f', url: null }
const poll = {
  question: 'Чути?',
  kind: 'single' as const,
  options: ['Так', 'Ні'],
  right: [],
  showResults: 'staff' as const,
}

const LINES: [EntryContent, Partial<EntryForm>][] = [
  [
    { type: 'message', payload: message },
    { ...author, text: 'Вітаю' },
  ],
  [
    { type: 'question', payload: message },
    { ...author, text: 'Вітаю' },
  ],
  [
    { type: 'answer', payload: { messageId: 'm', text: 'Так', author } },
    { ...author, text: 'Так' },
  ],
  [
    { type: 'button.show', payload: { buttonId: 'b', content: button, shownAt: null } },
    { text: 'Купити', link: 'https://school.ua' },
  ],
  [
    { type: 'handout.show', payload: { handoutId: 'h', content: handout } },
    { text: 'Конспект', link: '' },
  ],
  [
    { type: 'poll.open', payload: { pollId: 'p', content: poll } },
    { text: 'Чути?', options: 'Так\nНі' },
  ],
  [{ type: 'slide.change', payload: { fileId: 'f', page: 7 } }, { page: 7 }],
  [{ type: 'presentation.change', payload: { mode: 'preview' } }, { mode: 'preview' }],
  [{ type: 'button.hide', payload: { buttonId: 'b' } }, {}],
]

describe.each(LINES)('the entry %j', (entry, words) => {
  test('has its form fields', () => {
    expect(toEntryForm(entry)).toEqual({ ...EMPTY_FORM, ...words })
  })

  test('is unchanged with its own form fields', () => {
    expect(applyEntryForm(entry, toEntryForm(entry))).toEqual(entry)
  })
})

describe('changed form fields', () => {
  const words: EntryForm = {
    name: 'Ірина',
    role: 'moderator',
    text: 'Інше',
    link: 'https://other.ua',
    options: ' а \n\nб',
    page: 3,
    mode: 'broadcast',
  }
  const changed = (type: ScriptEntryType) => {
    const entry = LINES.find(([line]) => line.type === type)?.[0]
    return entry && applyEntryForm(entry, words).payload
  }

  test('change text and author, and nothing else', () => {
    const body = { author: { name: 'Ірина', role: 'moderator' }, text: 'Інше' }
    expect(changed('message')).toEqual({ ...message, ...body })
    expect(changed('question')).toEqual({ ...message, ...body })
    expect(changed('answer')).toEqual({ messageId: 'm', ...body })
  })

  test('change the shown content, and nothing else', () => {
    expect(changed('button.show')).toEqual({
      buttonId: 'b',
      content: { ...button, label: 'Інше', url: 'https://other.ua' },
      shownAt: null,
    })
    expect(changed('handout.show')).toEqual({
      handoutId: 'h',
      content: { ...handout, title: 'Інше', url: 'https://other.ua' },
    })
    expect(changed('poll.open')).toEqual({ pollId: 'p', content: { ...poll, question: 'Інше', options: ['а', 'б'] } })
    expect(changed('slide.change')).toEqual({ fileId: 'f', page: 3 })
    expect(changed('presentation.change')).toEqual({ mode: 'broadcast' })
    expect(changed('button.hide')).toEqual({ buttonId: 'b' })
  })
})

describe('a new entry', () => {
  const facts = { id: () => 'new', slidesFileId: 'slides', opened: null }
  const nobody = { name: '', role: 'viewer' }

  test.each([
    ['message', { messageId: 'new', author: nobody, text: '', replyTo: null, holdReason: null }],
    ['question', { messageId: 'new', author: nobody, text: '', replyTo: null, holdReason: null }],
    ['handout.show', { handoutId: 'new', content: { title: '', fileId: null, url: null } }],
    ['slide.change', { fileId: 'slides', page: 1 }],
    ['presentation.change', { mode: 'presentationAndBroadcast' }],
  ] as const)('%s is empty at first', (type, payload) => {
    expect(createEntry(type, facts)).toEqual({ type, payload })
  })

  test('has an empty button or poll', () => {
    expect(createEntry('button.show', facts)).toEqual({
      type: 'button.show',
      payload: {
        buttonId: 'new',
        shownAt: null,
        content: {
          label: '',
          url: '',
          style: 'primary',
          placement: 'underVideo',
          countdownTo: null,
          countdownSeconds: null,
          quantityLeft: null,
        },
      },
    })
    expect(createEntry('poll.open', facts)).toEqual({
      type: 'poll.open',
      payload: {
        pollId: 'new',
        content: { question: '', kind: 'single', options: [], right: [], showResults: 'always' },
      },
    })
  })

  test('closes an opened item, or is null', () => {
    const begun = (type: ScriptEntryType) => LINES.find(([line]) => line.type === type)?.[0] ?? null
    const end = (type: ScriptEntryType) =>
      createEntry(type, { ...facts, opened: begun(CLOSING_TYPES[type]?.begins ?? type) })
    expect(end('button.hide')).toEqual({ type: 'button.hide', payload: { buttonId: 'b' } })
    expect(end('handout.hide')).toEqual({ type: 'handout.hide', payload: { handoutId: 'h' } })
    expect(end('poll.close')).toEqual({ type: 'poll.close', payload: { pollId: 'p', tally: [], voters: 0 } })
    for (const type of ['button.hide', 'handout.hide', 'poll.close'] as const)
      expect(createEntry(type, facts)).toBeNull()
  })

  test('exists for the types that can be added manually only', () => {
    for (const type of Object.values(ADDABLE_TYPES).flat())
      if (!(type in CLOSING_TYPES)) expect(createEntry(type, facts)?.type).toBe(type)
    for (const type of ['answer', 'messagePinned', 'question.now'] as const) expect(createEntry(type, facts)).toBeNull()
  })
})
