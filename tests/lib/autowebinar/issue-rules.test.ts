import { expect, test } from 'vitest'
import { applyEntryForm, toEntryForm } from '#lib/autowebinar/entry-rules.ts'
import { describeEntry, findEntryLink, findIssues } from '#lib/autowebinar/issue-rules.ts'
import { type EntryContent as Content, EntryContent, type ScriptEntry, TRACK_OF } from '#lib/autowebinar/schema.ts'
import { newId } from '#lib/core/db/id.ts'

const [slides, known, other] = [newId(), newId(), newId()]
const content = (url = 'https://kafedra.org/a') => ({ label: 'Купити', url })

function entry(seconds: number, type: string, payload: object): ScriptEntry {
  const parsed = EntryContent.parse({ type, payload }) as Content
  return {
    ...parsed,
    id: newId(),
    offsetMs: seconds * 1000,
    position: 0,
    version: 1,
    track: TRACK_OF[parsed.type],
  } as ScriptEntry
}

const facts = {
  lengthMs: 60_000,
  deletedItemIds: new Set([other]),
  countPages: (id: string) => (id === slides ? 10 : null),
}
const found = (...entries: ScriptEntry[]) => findIssues(entries, facts).map(({ kind }) => kind)

test('a correct script has no issues', () => {
  const messageId = newId()
  const author = { name: 'Олена К.', role: 'viewer' }
  expect(
    found(
      entry(1, 'question', { messageId, author, text: 'Так?' }),
      entry(2, 'answer', { messageId, author, text: 'Так' }),
      entry(3, 'button.show', { buttonId: known, content: content() }),
      entry(4, 'button.hide', { buttonId: known }),
      entry(5, 'slide.change', { fileId: slides, page: 10 }),
      entry(6, 'poll.open', { pollId: known, content: { question: 'Так?', options: ['а', 'б'] } }),
      entry(7, 'poll.close', { pollId: known }),
    ),
  ).toEqual([])
})

test('each issue is reported at its entry', () => {
  const poll = (pollId: string, options: string[]) => ({ pollId, content: { question: 'Так?', options } })
  expect(found(entry(61, 'presentation.change', { mode: 'preview' }))).toEqual(['after_end'])
  expect(found(entry(1, 'button.hide', { buttonId: known }))).toEqual(['hidden_before_shown'])
  expect(found(entry(1, 'button.show', { buttonId: known, content: content() }))).toEqual(['never_hidden'])
  expect(
    found(entry(1, 'handout.show', { handoutId: other, content: { title: 'А', url: 'https://kafedra.org/b' } })),
  ).toEqual(['item_deleted'])
  expect(found(entry(1, 'slide.change', { fileId: slides, page: 11 }))).toEqual(['slide_beyond'])
  expect(found(entry(1, 'slide.change', { fileId: null, page: 1 }))).toEqual(['no_slides'])
  expect(found(entry(1, 'poll.open', poll(known, ['а', 'б'])), entry(2, 'poll.open', poll(slides, ['а'])))).toEqual([
    'polls_overlap',
    'poll_few_options',
    'poll_never_closed',
  ])
  expect(found(entry(1, 'answer', { messageId: known, author: { name: 'М', role: 'host' }, text: 'Так' }))).toEqual([
    'answer_without_question',
  ])
  for (const url of [
    'https://localhost/a',
    'https://nowhere.invalid/a',
    'https://school.test.',
    'https://me@bank.ua/a',
    'http://intranet',
  ]) {
    expect(found(entry(1, 'handout.show', { handoutId: known, content: { title: 'А', url } })), url).toEqual([
      'link_unreachable',
    ])
  }
})

test('form fields of an entry can be changed, and the rest stays', () => {
  const button = entry(1, 'button.show', { buttonId: known, content: { ...content(), countdownSeconds: 60 } })
  const changed = applyEntryForm(button, { ...toEntryForm(button), text: 'Записатися' })
  expect(changed.payload).toMatchObject({ buttonId: known, content: { label: 'Записатися', countdownSeconds: 60 } })
  const poll = entry(1, 'poll.open', { pollId: known, content: { question: 'Так?', options: ['а', 'б'] } })
  expect(applyEntryForm(poll, toEntryForm(poll)).payload).toEqual(poll.payload)
})

test('an issue names its entry, its time and its subject; some issues are notes', () => {
  const gone = entry(2, 'handout.show', { handoutId: other, content: { title: 'А', url: 'https://kafedra.org/b' } })
  const late = entry(61, 'message', { messageId: known, author: { name: 'М', role: 'host' }, text: 'Пізно' })
  const button = entry(1, 'button.show', { buttonId: known, content: content() })
  expect(findIssues([button, gone, late], facts)).toEqual([
    { kind: 'never_hidden', entryId: button.id, offsetMs: 1000, subject: 'Купити', isAdvice: true },
    { kind: 'item_deleted', entryId: gone.id, offsetMs: 2000, subject: 'А', isAdvice: true },
    { kind: 'after_end', entryId: late.id, offsetMs: 61_000, subject: 'Пізно', isAdvice: false },
  ])
})

test('the last moment is within a video, slides of an unknown number are taken, a rating needs no options', () => {
  const rating = { question: 'Як вам?', kind: 'rating', options: [] }
  expect(
    found(
      entry(60, 'slide.change', { fileId: other, page: 999 }),
      entry(60, 'poll.open', { pollId: known, content: rating }),
      entry(60, 'poll.close', { pollId: known }),
    ),
  ).toEqual([])
})

test('reports items that are hidden or closed before they are shown', () => {
  expect(found(entry(1, 'handout.hide', { handoutId: known }))).toEqual(['hidden_before_shown'])
  expect(found(entry(1, 'poll.close', { pollId: known }))).toEqual(['hidden_before_shown'])
  const shown = entry(1, 'handout.show', { handoutId: known, content: { title: 'А', url: 'https://kafedra.org/b' } })
  expect(found(shown, entry(2, 'handout.hide', { handoutId: known }))).toEqual([])
  expect(found(shown)).toEqual([])
})

test('an issue names an entry by its visible text', () => {
  const author = { name: 'М', role: 'host' }
  const called = (type: string, payload: object) => describeEntry(entry(1, type, payload))
  expect([
    called('answer', { messageId: known, author, text: 'Так' }),
    called('poll.open', { pollId: known, content: { question: 'Чути?', options: ['а', 'б'] } }),
    called('slide.change', { fileId: slides, page: 7 }),
    called('presentation.change', { mode: 'preview' }),
    called('button.hide', { buttonId: known }),
  ]).toEqual(['Так', 'Чути?', '7', 'preview', ''])
})

test('only buttons and handouts have links', () => {
  expect(findEntryLink(entry(1, 'button.show', { buttonId: known, content: content() }))).toBe('https://kafedra.org/a')
  const file = { title: 'А', fileId: slides, url: null }
  expect(findEntryLink(entry(1, 'handout.show', { handoutId: known, content: file }))).toBeNull()
  expect(findEntryLink(entry(1, 'slide.change', { fileId: slides, page: 7 }))).toBeNull()
})

test('a poll is closed by its own id alone, and once', () => {
  const poll = (pollId: string) => ({ pollId, content: { question: 'Так?', options: ['а', 'б'] } })
  const open = entry(1, 'poll.open', poll(known))
  expect(found(open, entry(2, 'poll.close', { pollId: other }))).toEqual(['poll_never_closed', 'hidden_before_shown'])
  expect(found(open, entry(2, 'poll.close', { pollId: known }), entry(3, 'poll.open', poll(slides)))).toEqual([
    'poll_never_closed',
  ])
})

test('a message may be answered like a question', () => {
  const author = { name: 'М', role: 'host' }
  const message = entry(1, 'message', { messageId: known, author, text: 'Чи буде запис?' })
  expect(found(message, entry(2, 'answer', { messageId: known, author, text: 'Так' }))).toEqual([])
})

test('a link that is no web address is reported', () => {
  const shown = entry(1, 'handout.show', { handoutId: known, content: { title: 'А', url: 'https://kafedra.org/b' } })
  for (const url of ['адреса', 'ftp://kafedra.org/b']) {
    const broken = {
      ...shown,
      payload: { handoutId: known, content: { title: 'А', fileId: null, url } },
    } as ScriptEntry
    expect(found(broken), url).toEqual(['link_unreachable'])
  }
  for (const url of ['http://kafedra.org', 'https://my.test.kafedra.org/b']) {
    expect(found(entry(1, 'handout.show', { handoutId: known, content: { title: 'А', url } })), url).toEqual([])
  }
})
