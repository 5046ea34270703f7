import { expect, test } from 'vitest'
import { insertMention, mentionParts, typedMention } from '#islands/chat/mention-text.ts'
import { applyMessageReaction } from '#islands/chat/message-window.ts'

test.each([
  ['Привіт @Окс', { start: 7, search: 'Окс' }],
  ['@', { start: 0, search: '' }],
  ['(@Оксана Кова', { start: 1, search: 'Оксана Кова' }],
  ['пошта a@b', null],
  ['@Оксана Коваль і', null],
  ['@Окс\nдалі', null],
  ['без знака', null],
])('%j', (before, expected) => {
  expect(typedMention(before)).toEqual(expected)
})

test('the chosen name replaces what was typed', () => {
  expect(insertMention('Дякую @окс дуже', { start: 6, search: 'окс' }, 'Оксана Коваль')).toEqual({
    text: 'Дякую @Оксана Коваль дуже',
    caret: 21,
  })
})

test('only known names are marked, the longest first', () => {
  expect(mentionParts('@Анна Лі, @Анна і @хтось', ['Анна', 'Анна Лі'])).toEqual([
    { text: '@Анна Лі', isMention: true },
    { text: ', ', isMention: false },
    { text: '@Анна', isMention: true },
    { text: ' і @хтось', isMention: false },
  ])
})

test('an own reaction that arrives by both ways counts once', () => {
  const message = { seq: 1, reactions: [{ reaction: '👍', count: 1 }], ownReactions: [] }
  const window = JSON.parse(JSON.stringify({ messages: [message], lastSeq: 1 }))
  const local = { seq: 1, reaction: '👍', isSet: true, count: null, isOwn: true } as const
  const once = applyMessageReaction(window, local)
  const event = applyMessageReaction(once, { ...local, count: 2 })
  for (const state of [once, event, applyMessageReaction(event, local)])
    expect(state.messages[0]).toMatchObject({ reactions: [{ reaction: '👍', count: 2 }], ownReactions: ['👍'] })
  const removed = applyMessageReaction(event, { ...local, isSet: false, count: 0 })
  expect(removed.messages[0]).toMatchObject({ reactions: [], ownReactions: [] })
})
