import { describe, expect, test } from 'vitest'
import { ADDABLE, ENDS, emptyLine, type LineWords, NO_WORDS, withWords, wordsOf } from '#lib/autowebinar/line-rules.ts'
import type { LineContent } from '#lib/autowebinar/schema.ts'
import type { LineType } from '#lib/core/shared/event/auto-event.ts'

const author = { name: 'Оля', role: 'host' as const }
const message = { messageId: 'm', author, text: 'Вітаю', replyTo: null, held: null }
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

const LINES: [LineContent, Partial<LineWords>][] = [
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

describe.each(LINES)('the line %j', (line, words) => {
  test('has its words', () => {
    expect(wordsOf(line)).toEqual({ ...NO_WORDS, ...words })
  })

  test('is the same with the words it has', () => {
    expect(withWords(line, wordsOf(line))).toEqual(line)
  })
})

describe('other words', () => {
  const words: LineWords = {
    name: 'Ірина',
    role: 'moderator',
    text: 'Інше',
    link: 'https://other.ua',
    options: ' а \n\nб',
    page: 3,
    mode: 'broadcast',
  }
  const changed = (type: LineType) => {
    const line = LINES.find(([one]) => one.type === type)?.[0]
    return line && withWords(line, words).payload
  }

  test('change what is said and by whom, and nothing else', () => {
    const said = { author: { name: 'Ірина', role: 'moderator' }, text: 'Інше' }
    expect(changed('message')).toEqual({ ...message, ...said })
    expect(changed('question')).toEqual({ ...message, ...said })
    expect(changed('answer')).toEqual({ messageId: 'm', ...said })
  })

  test('change what is shown, and nothing else', () => {
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

describe('a new line', () => {
  const facts = { id: () => 'new', slidesFileId: 'slides', begun: null }
  const nobody = { name: '', role: 'viewer' }

  test.each([
    ['message', { messageId: 'new', author: nobody, text: '', replyTo: null, held: null }],
    ['question', { messageId: 'new', author: nobody, text: '', replyTo: null, held: null }],
    ['handout.show', { handoutId: 'new', content: { title: '', fileId: null, url: null } }],
    ['slide.change', { fileId: 'slides', page: 1 }],
    ['presentation.change', { mode: 'presentationAndBroadcast' }],
  ] as const)('%s has nothing in it yet', (type, payload) => {
    expect(emptyLine(type, facts)).toEqual({ type, payload })
  })

  test('shows an empty button or poll', () => {
    expect(emptyLine('button.show', facts)).toEqual({
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
    expect(emptyLine('poll.open', facts)).toEqual({
      type: 'poll.open',
      payload: {
        pollId: 'new',
        content: { question: '', kind: 'single', options: [], right: [], showResults: 'always' },
      },
    })
  })

  test('ends what another one has begun, or is none', () => {
    const begun = (type: LineType) => LINES.find(([one]) => one.type === type)?.[0] ?? null
    const end = (type: LineType) => emptyLine(type, { ...facts, begun: begun(ENDS[type]?.begins ?? type) })
    expect(end('button.hide')).toEqual({ type: 'button.hide', payload: { buttonId: 'b' } })
    expect(end('handout.hide')).toEqual({ type: 'handout.hide', payload: { handoutId: 'h' } })
    expect(end('poll.close')).toEqual({ type: 'poll.close', payload: { pollId: 'p', tally: [], voters: 0 } })
    for (const type of ['button.hide', 'handout.hide', 'poll.close'] as const) expect(emptyLine(type, facts)).toBeNull()
  })

  test('exists for whatever may be added by hand, and for nothing else', () => {
    for (const type of Object.values(ADDABLE).flat())
      if (!(type in ENDS)) expect(emptyLine(type, facts)?.type).toBe(type)
    for (const type of ['answer', 'messagePinned', 'question.now'] as const) expect(emptyLine(type, facts)).toBeNull()
  })
})
