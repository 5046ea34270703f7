import { expect, test } from 'vitest'
import { flawsOf } from '#lib/autowebinar/flaw-rules.ts'
import { withWords, wordsOf } from '#lib/autowebinar/line-rules.ts'
import { type LineContent as Content, type Line, LineContent, TRACK_OF } from '#lib/autowebinar/schema.ts'
import { newId } from '#lib/core/db/id.ts'

const [slides, known, other] = [newId(), newId(), newId()]
const content = (url = 'https://kafedra.org/a') => ({ label: 'Купити', url })

function line(seconds: number, type: string, payload: object): Line {
  const parsed = LineContent.parse({ type, payload }) as Content
  return {
    ...parsed,
    id: newId(),
    offsetMs: seconds * 1000,
    position: 0,
    version: 1,
    track: TRACK_OF[parsed.type],
  } as Line
}

const facts = { lengthMs: 60_000, gone: new Set([other]), pagesOf: (id: string) => (id === slides ? 10 : null) }
const found = (...lines: Line[]) => flawsOf(lines, facts).map(({ kind }) => kind)

test('a script that is in order has no flaws', () => {
  const messageId = newId()
  const author = { name: 'Олена К.', role: 'viewer' }
  expect(
    found(
      line(1, 'question', { messageId, author, text: 'Так?' }),
      line(2, 'answer', { messageId, author, text: 'Так' }),
      line(3, 'button.show', { buttonId: known, content: content() }),
      line(4, 'button.hide', { buttonId: known }),
      line(5, 'slide.change', { fileId: slides, page: 10 }),
      line(6, 'poll.open', { pollId: known, content: { question: 'Так?', options: ['а', 'б'] } }),
      line(7, 'poll.close', { pollId: known }),
    ),
  ).toEqual([])
})

test('each flaw is found at its line', () => {
  const poll = (pollId: string, options: string[]) => ({ pollId, content: { question: 'Так?', options } })
  expect(found(line(61, 'presentation.change', { mode: 'preview' }))).toEqual(['after_end'])
  expect(found(line(1, 'button.hide', { buttonId: known }))).toEqual(['hidden_before_shown'])
  expect(found(line(1, 'button.show', { buttonId: known, content: content() }))).toEqual(['never_hidden'])
  expect(
    found(line(1, 'handout.show', { handoutId: other, content: { title: 'А', url: 'https://kafedra.org/b' } })),
  ).toEqual(['item_deleted'])
  expect(found(line(1, 'slide.change', { fileId: slides, page: 11 }))).toEqual(['slide_beyond'])
  expect(found(line(1, 'slide.change', { fileId: null, page: 1 }))).toEqual(['no_slides'])
  expect(found(line(1, 'poll.open', poll(known, ['а', 'б'])), line(2, 'poll.open', poll(slides, ['а'])))).toEqual([
    'polls_overlap',
    'poll_few_options',
    'poll_never_closed',
  ])
  expect(found(line(1, 'answer', { messageId: known, author: { name: 'М', role: 'host' }, text: 'Так' }))).toEqual([
    'answer_without_question',
  ])
  for (const url of ['https://localhost/a', 'https://nowhere.invalid/a', 'https://me@bank.ua/a', 'http://intranet']) {
    expect(found(line(1, 'handout.show', { handoutId: known, content: { title: 'А', url } })), url).toEqual([
      'link_unreachable',
    ])
  }
})

test('a line’s words can be changed, and the rest of it stays', () => {
  const button = line(1, 'button.show', { buttonId: known, content: { ...content(), countdownSeconds: 60 } })
  const changed = withWords(button, { ...wordsOf(button), text: 'Записатися' })
  expect(changed.payload).toMatchObject({ buttonId: known, content: { label: 'Записатися', countdownSeconds: 60 } })
  const poll = line(1, 'poll.open', { pollId: known, content: { question: 'Так?', options: ['а', 'б'] } })
  expect(withWords(poll, wordsOf(poll)).payload).toEqual(poll.payload)
})
