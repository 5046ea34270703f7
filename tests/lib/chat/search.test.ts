import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { deleteChatMessage, editChatMessage } from '#lib/chat/message/change.ts'
import { FindChatMessages } from '#lib/chat/schema.ts'
import { searchedForm } from '#lib/chat/search/excerpt-rules.ts'
import { findChatMessages } from '#lib/chat/search/search.ts'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requestApi } from '../../api/api-request.ts'
import { chatCourse, sendText, start, startDirect } from '../../setup/chat/conversations.ts'
import { parsed } from '../../setup/parsed/parsed.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

let home: TestTenant
let courseId: string
beforeEach(async () => {
  home = await createTestTenant()
  courseId = (await chatCourse(home)).courseId
})

const search = parsed(FindChatMessages, findChatMessages)
const find = async (actor: Actor, query: string, more: object = {}) =>
  (await search(actor, { query, ...more })).items.map(({ excerpt }) => excerpt.map(({ text }) => text).join(''))

test('words are found in any case, with any apostrophe, by their beginning and with a typing error', async () => {
  const { STUDENT, CURATOR } = home.as
  const id = await startDirect(STUDENT, CURATOR)
  for (const text of ['Пам’ятка про Вебінар', 'Домашнє завдання №5', 'https://example.com/page', 'Інше'])
    await sendText(STUDENT, id, text)
  expect(await find(CURATOR, 'памʼятка ВЕБІНАР')).toEqual(['Пам’ятка про Вебінар'])
  expect(await find(CURATOR, 'памятка')).toEqual(['Пам’ятка про Вебінар'])
  expect(await find(CURATOR, 'вебін')).toEqual(['Пам’ятка про Вебінар'])
  expect(await find(CURATOR, 'вибінар')).toEqual(['Пам’ятка про Вебінар'])
  expect(await find(CURATOR, 'завданя')).toEqual(['Домашнє завдання №5'])
  expect(await find(CURATOR, 'завдання вебінар')).toEqual([])
  expect(await find(CURATOR, 'example.com')).toEqual(['https://example.com/page'])
  expect(await find(CURATOR, '%')).toEqual([])
  const { items } = await search(STUDENT, { query: 'завдан' })
  expect(items[0]).toMatchObject({ conversationId: id, seq: 2, title: 'curator Тест', author: 'student Тест' })
  expect(items[0]?.excerpt[1]).toEqual({ text: 'завдання', isMatch: true })
})

test('operators limit the search', async () => {
  const { STUDENT, CURATOR, OWNER } = home.as
  const direct = await startDirect(STUDENT, CURATOR)
  const course = await start(CURATOR, { kind: 'course', courseId })
  await sendText(STUDENT, direct, 'план перший')
  await sendText(CURATOR, direct, 'план другий https://example.com')
  await sendText(CURATOR, course, 'план третій')
  expect(await find(CURATOR, 'план')).toEqual(['план третій', 'план другий https://example.com', 'план перший'])
  expect(await find(CURATOR, 'план from:student')).toEqual(['план перший'])
  expect(await find(CURATOR, 'from:me')).toEqual(['план третій', 'план другий https://example.com'])
  expect(await find(CURATOR, 'has:link')).toEqual(['план другий https://example.com'])
  expect(await find(CURATOR, 'план in:групи')).toEqual(['план третій'])
  expect(await find(CURATOR, 'план', { conversationId: direct })).toHaveLength(2)
  expect(await find(CURATOR, 'план before:2020-01-01')).toEqual([])
  expect(await find(CURATOR, 'план after:2020-01-01')).toHaveLength(3)
  expect(await find(CURATOR, 'план from:нікого')).toEqual([])
  // The owner sees the course only.
  expect(await find(OWNER, 'план')).toEqual(['план третій'])
})

test('an edited message is found by its new text, a deleted one not at all', async () => {
  const { STUDENT, CURATOR } = home.as
  const conversationId = await startDirect(STUDENT, CURATOR)
  const { seq } = await sendText(STUDENT, conversationId, 'телефон 0501234567')
  await editChatMessage(STUDENT, { conversationId, seq, body: 'адреса' })
  expect([await find(CURATOR, '0501234567'), await find(CURATOR, 'адреса')]).toEqual([[], ['адреса']])
  await deleteChatMessage(STUDENT, { conversationId, seq })
  expect(await find(CURATOR, 'адреса')).toEqual([])
  const { rows } = await inTenant(CURATOR, (tx) =>
    tx.execute('select word from chat_word union select word from chat_vocabulary'),
  )
  expect(rows).toEqual([])
})

test('only readers of a conversation find its messages', async () => {
  const other = await createOtherTenant()
  const { STUDENT, CURATOR, MENTOR, OWNER } = home.as
  const direct = await startDirect(STUDENT, CURATOR)
  await sendText(STUDENT, direct, 'таємниця')
  for (const actor of [MENTOR, OWNER, other.as.OWNER, other.as.CURATOR]) {
    expect(await find(actor, 'таємниця')).toEqual([])
    expect(await find(actor, 'таємниця', { conversationId: direct })).toEqual([])
    expect(await find(actor, 'from:student')).toEqual([])
  }
  const course = await start(CURATOR, { kind: 'course', courseId })
  await sendText(CURATOR, course, 'оголошення')
  expect(await find(STUDENT, 'оголошення')).toHaveLength(1)
  await inTenant(CURATOR, (tx) => tx.execute(`update access_grant set revoked_at = now()`))
  expect(await find(STUDENT, 'оголошення')).toEqual([])
})

test('results continue by pages, without repetitions', async () => {
  const { STUDENT, CURATOR } = home.as
  const id = await startDirect(STUDENT, CURATOR)
  for (let n = 1; n <= 7; n += 1) await sendText(STUDENT, id, `слово слова ${n}`)
  const seqs: number[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: Awaited<ReturnType<typeof search>> = await search(CURATOR, { query: 'слов', limit: 3, cursor })
    seqs.push(...page.items.map(({ seq }) => seq))
    cursor = page.next
  }
  expect(seqs).toEqual([7, 6, 5, 4, 3, 2, 1])
})

test('a query that cannot be read is refused', async () => {
  const call = (query: string, more = {}) =>
    requestApi('GET', `chat/findMessages?${new URLSearchParams({ query, ...more })}`, { actor: home.as.CURATOR })
  for (const [query, more] of [
    ['', {}],
    ['in:курс', {}],
    ['has:щось', {}],
    ['x'.repeat(201), {}],
    ['слово', { cursor: 'x' }],
    ['слово', { conversationId: 'x' }],
  ] as const)
    expect([query, (await call(query, more)).status]).toEqual([query, 400])
  expect((await call('слово')).status).toBe(200)
})

test('digits, Latin and Cyrillic letters are different, and names with symbols are words', async () => {
  const { STUDENT, CURATOR } = home.as
  const id = await startDirect(STUDENT, CURATOR)
  const texts = [
    'ь',
    '3',
    'з',
    'о',
    '0',
    'о5а',
    'йод',
    'курс C++ для всіх',
    'мова C',
    'мова C#',
    'мікрофон NT-USB',
    'plan',
  ]
  for (const text of texts) await sendText(STUDENT, id, text)
  const found = async (query: string) => (await find(CURATOR, query)).toSorted()
  expect(await Promise.all(['3', 'з', 'ь', '0', '5', '5од'].map(found))).toEqual([['3'], ['з'], ['ь'], ['0'], [], []])
  expect(await Promise.all(['c++', 'C#', 'NT-USB', 'nt-us'].map(found))).toEqual([
    ['курс C++ для всіх'],
    ['мова C#'],
    ['мікрофон NT-USB'],
    ['мікрофон NT-USB'],
  ])
  expect(await found('c')).toEqual(['курс C++ для всіх', 'мова C', 'мова C#'])
  expect((await search(CURATOR, { query: 'c++' })).items[0]?.excerpt[1]).toEqual({ text: 'C++', isMatch: true })
})

test('all words with a prefix are found, in composed and decomposed letters, with and without stress', async () => {
  const { STUDENT, CURATOR } = home.as
  const id = await startDirect(STUDENT, CURATOR)
  const letters = [...'абвгдеєжзиіїйклмнопрстуфхцчшщьюя', ...'abcdefghijklmnopqrst']
  await sendText(STUDENT, id, letters.map((letter) => `вебінар${letter}`).join(' '))
  await sendText(STUDENT, id, 'вебінаря')
  await sendText(STUDENT, id, 'за\u0301мок і'.normalize('NFD'))
  await sendText(STUDENT, id, 'Їжа й чай'.normalize('NFD'))
  expect(await find(CURATOR, 'вебінар')).toHaveLength(2)
  expect(await find(CURATOR, 'замок')).toHaveLength(1)
  expect(await find(CURATOR, 'за\u0301мок')).toHaveLength(1)
  expect(await find(CURATOR, 'їжа чай')).toHaveLength(1)
  expect(await find(CURATOR, 'їжа чай'.normalize('NFD'))).toHaveLength(1)
})

test('the browser and the database bring words in the same form', async () => {
  const words = [
    'Пам’ятка',
    'ЇЖАК',
    'ґанок',
    'Щось',
    'x'.repeat(60),
    'café',
    '3з0о',
    'Їй'.normalize('NFD'),
    'за\u0301мок',
    'C',
  ]
  const symbols = ['C++', 'C#', 'м²']
  const { rows } = await inTenant(home.as.OWNER, (tx) =>
    tx.execute<{ words: string[] }>(
      sql`select search_words(word) as words from unnest(${sql.param([...words, ...symbols])}::text[]) with ordinality t(word, n) order by n`,
    ),
  )
  expect(rows.map((row) => row.words)).toEqual([
    ...words.map((word) => [searchedForm(word)]),
    ['c', 'c++'],
    ['c', 'c#'],
    ['м'],
  ])
})
