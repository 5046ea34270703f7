import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import type { LessonNode } from '#lib/core/shared/lesson-doc.ts'
import { discardLesson, getLesson, publishLesson } from '#lib/course/lesson/lesson.ts'
import { getLessonText, listRevisions, nameRevision, restoreRevision } from '#lib/course/lesson/revision.ts'
import { thinRevisions } from '#lib/course/lesson/revision-sweep.ts'
import { measureContent } from '#lib/course/lesson/rules.ts'
import { saveLesson } from '#lib/course/lesson/save.ts'
import { addModule } from '#lib/course/outline/outline.ts'
import { requestApi } from '../../../api/api-request.ts'
import { createCourse } from '../../../setup/parsed/course.ts'
import { addLesson } from '../../../setup/parsed/course-outline.ts'
import { createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

let ours: TestTenant
beforeAll(async () => {
  ours = await createTestTenant()
})

const line = (text: string): LessonNode => ({ type: 'paragraph', content: [{ type: 'text', text }] })
const lines = (...texts: string[]) => texts.map(line)

async function lessonOf(...texts: string[]) {
  const { OWNER } = ours.as
  const { courseId } = await createCourse(OWNER, { title: 'Курс' })
  const { moduleId } = await addModule(OWNER, { courseId, title: 'Модуль' })
  const blocks = { type: 'doc' as const, content: lines(...texts) }
  const { lessonId } = await addLesson(OWNER, { moduleId, title: 'Урок', blocks })
  return { courseId, lessonId }
}

const wordsOf = async (lessonId: string) => {
  const { blocks, version } = await getLesson(ours.as.OWNER, { lessonId })
  return { version, words: blocks.content.map((node) => node.content?.[0]?.text ?? '') }
}

describe('a save', () => {
  test.each([
    ['one block for another', { at: 1, remove: 1, insert: lines('2!') }, ['1', '2!', '3']],
    ['a block more at the front', { at: 0, remove: 0, insert: lines('0') }, ['0', '1', '2', '3']],
    ['a block more at the end', { at: 3, remove: 0, insert: lines('4') }, ['1', '2', '3', '4']],
    ['two blocks for one', { at: 0, remove: 1, insert: lines('a', 'b') }, ['a', 'b', '2', '3']],
    ['a block less', { at: 2, remove: 1, insert: [] }, ['1', '2']],
    ['everything', { at: 0, remove: 3, insert: lines('нове') }, ['нове']],
  ])('takes %s', async (_what, change, expected) => {
    const { lessonId } = await lessonOf('1', '2', '3')
    expect(await saveLesson(ours.as.OWNER, { lessonId, version: 1, change })).toMatchObject({ version: 2 })
    expect(await wordsOf(lessonId)).toEqual({ version: 2, words: expected })
  })

  test('changes only the title and leaves the text', async () => {
    const { lessonId } = await lessonOf('1', '2')
    await saveLesson(ours.as.OWNER, { lessonId, version: 1, title: 'Інша назва' })
    expect(await getLesson(ours.as.OWNER, { lessonId })).toMatchObject({
      title: 'Інша назва',
      version: 2,
      words: 2,
    })
  })

  test.each([
    ['past the end', { at: 3, remove: 1, insert: lines('x') }],
    ['more than there is', { at: 1, remove: 5, insert: lines('x') }],
    ['all without anything else', { at: 0, remove: 2, insert: [] }],
  ])('refuses a change that does not fit: %s', async (_what, change) => {
    const { lessonId } = await lessonOf('1', '2')
    await expect(saveLesson(ours.as.OWNER, { lessonId, version: 1, change })).rejects.toMatchObject({
      code: 'invalid',
    })
    expect(await wordsOf(lessonId)).toEqual({ version: 1, words: ['1', '2'] })
  })

  test('refuses unknown nodes', async () => {
    const { lessonId } = await lessonOf('1')
    const change = { at: 0, remove: 1, insert: [{ type: 'script' }] }
    const body = { lessonId, version: 1, change }
    expect(await requestApi('POST', 'course/saveLesson', { actor: ours.as.OWNER, body })).toMatchObject({
      status: 400,
      body: { code: 'invalid' },
    })
    expect(await wordsOf(lessonId)).toEqual({ version: 1, words: ['1'] })
  })

  test('applies the limits to the whole text and stores its new size', async () => {
    const long = 'ї'.repeat(199_990)
    const { lessonId } = await lessonOf(long, long)
    const save = (version: number, text: string) =>
      saveLesson(ours.as.OWNER, { lessonId, version, change: { at: 2, remove: 0, insert: lines(text) } })
    await save(1, 'десять тут')
    await expect(save(2, 'іще одинадцять')).rejects.toMatchObject({
      code: 'invalid',
      details: { fields: { change: ['lesson_content'] } },
    })
    await save(2, 'ще десять!')
    const { blocks } = await getLesson(ours.as.OWNER, { lessonId })
    const { rows } = await inTenant(ours.as.OWNER, (tx) =>
      tx.execute(sql`select nodes, characters, words from lesson where id = ${lessonId}`),
    )
    expect(rows[0]).toEqual(measureContent(blocks.content))
  })

  test('counts 20,000 nodes over many small changes', async () => {
    const { lessonId } = await lessonOf('1')
    const many = Array.from({ length: 9_990 }, () => line('x'))
    await saveLesson(ours.as.OWNER, { lessonId, version: 1, change: { at: 0, remove: 1, insert: many } })
    const more = (version: number, count: number) =>
      saveLesson(ours.as.OWNER, {
        lessonId,
        version,
        change: { at: 0, remove: 0, insert: Array.from({ length: count }, () => line('y')) },
      })
    await more(2, 5)
    await expect(more(3, 5)).rejects.toMatchObject({ code: 'invalid' })
    await more(3, 4)
  })
})

describe('two authors', () => {
  test('never overwrite each other: the second one gets the newer text and its author', async () => {
    const { lessonId } = await lessonOf('1', '2')
    const change = (text: string) => ({ at: 0, remove: 1, insert: lines(text) })
    await saveLesson(ours.as.OWNER, { lessonId, version: 1, change: change('перша') })
    const late = saveLesson(ours.as.EXPERT, { lessonId, version: 1, change: change('друга') })
    await expect(late).rejects.toMatchObject({
      code: 'conflict',
      details: { data: { version: 2, by: 'owner Тест', blocks: { content: lines('перша', '2') } } },
    })
    expect((await wordsOf(lessonId)).words).toEqual(['перша', '2'])
  })

  test('who save concurrently: one succeeds', async () => {
    const { lessonId } = await lessonOf('1')
    const answers = await Promise.allSettled(
      ['один', 'два', 'три'].map((text) =>
        saveLesson(ours.as.OWNER, { lessonId, version: 1, change: { at: 0, remove: 1, insert: lines(text) } }),
      ),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await wordsOf(lessonId)).version).toBe(2)
  })

  test('choosing one’s own text keeps the other text in the history', async () => {
    const { lessonId } = await lessonOf('1')
    const save = (version: number, text: string, chosen = false) =>
      saveLesson(ours.as.OWNER, { lessonId, version, chosen, change: { at: 0, remove: 1, insert: lines(text) } })
    await save(1, 'а')
    await save(2, 'чужа праця')
    await save(3, 'моя', true)
    const kept = await getLessonText(ours.as.OWNER, { lessonId, revision: 3 })
    expect(kept.blocks.content).toEqual(lines('чужа праця'))
  })

  test('discarding and restoring never lose a save that came in between', async () => {
    const { lessonId } = await lessonOf('1')
    await publishLesson(ours.as.OWNER, { lessonId })
    await saveLesson(ours.as.OWNER, { lessonId, version: 1, change: { at: 0, remove: 1, insert: lines('2') } })
    const save = saveLesson(ours.as.EXPERT, {
      lessonId,
      version: 2,
      change: { at: 0, remove: 1, insert: lines('3') },
    })
    const [saved] = await Promise.allSettled([save, discardLesson(ours.as.OWNER, { lessonId })])
    if (saved.status === 'rejected') return expect(saved.reason).toMatchObject({ code: 'conflict' })
    const kept = await getLessonText(ours.as.OWNER, { lessonId, revision: saved.value.version })
    expect(kept.blocks.content).toEqual(lines('3'))
  })

  test('publish only the version that they have seen', async () => {
    const { lessonId } = await lessonOf('1')
    await saveLesson(ours.as.EXPERT, { lessonId, version: 1, title: 'Іще не бачене' })
    await expect(publishLesson(ours.as.OWNER, { lessonId, version: 1 })).rejects.toMatchObject({
      code: 'conflict',
    })
    expect(await publishLesson(ours.as.OWNER, { lessonId, version: 2 })).toEqual({ version: 2 })
  })
})

describe('revisions', () => {
  test('are listed without documents, one item a version, with their author', async () => {
    const { lessonId } = await lessonOf('1')
    await saveLesson(ours.as.EXPERT, { lessonId, version: 1, change: { at: 0, remove: 1, insert: lines('2') } })
    await saveLesson(ours.as.EXPERT, { lessonId, version: 2, change: { at: 0, remove: 1, insert: lines('3') } })
    const list = await listRevisions(ours.as.OWNER, { lessonId })
    expect(list).toEqual([
      { version: 1, kind: 'auto', note: null, title: 'Урок', at: expect.any(Date), by: 'owner Тест' },
    ])
  })

  test('can be named, and so can the draft', async () => {
    const { lessonId } = await lessonOf('1')
    await saveLesson(ours.as.OWNER, { lessonId, version: 1, change: { at: 0, remove: 1, insert: lines('2') } })
    await nameRevision(ours.as.OWNER, { lessonId, version: 2, note: 'Перед ефіром' })
    await nameRevision(ours.as.OWNER, { lessonId, version: 1, note: 'Перша' })
    await nameRevision(ours.as.OWNER, { lessonId, version: 1, note: 'Найперша' })
    const list = await listRevisions(ours.as.OWNER, { lessonId })
    expect(list.map(({ version, kind, note }) => [version, kind, note])).toEqual([
      [2, 'named', 'Перед ефіром'],
      [1, 'named', 'Найперша'],
    ])
    await expect(nameRevision(ours.as.OWNER, { lessonId, version: 7, note: 'Ніяка' })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test('are restored as the draft; the previous draft is kept', async () => {
    const { lessonId } = await lessonOf('1')
    await saveLesson(ours.as.OWNER, { lessonId, version: 1, change: { at: 0, remove: 1, insert: lines('2') } })
    await saveLesson(ours.as.OWNER, { lessonId, version: 2, change: { at: 0, remove: 1, insert: lines('3') } })
    expect(await restoreRevision(ours.as.OWNER, { lessonId, version: 1 })).toEqual({ version: 4 })
    expect(await wordsOf(lessonId)).toEqual({ version: 4, words: ['1'] })
    const kept = await getLessonText(ours.as.OWNER, { lessonId, revision: 3 })
    expect(kept.blocks.content).toEqual(lines('3'))
  })

  test('can be compared with the published text', async () => {
    const { lessonId } = await lessonOf('1')
    await expect(getLessonText(ours.as.OWNER, { lessonId, revision: 'published' })).rejects.toMatchObject({
      code: 'not_found',
    })
    await publishLesson(ours.as.OWNER, { lessonId })
    await saveLesson(ours.as.OWNER, { lessonId, version: 1, change: { at: 0, remove: 1, insert: lines('2') } })
    const read = await getLessonText(ours.as.CURATOR, { lessonId, revision: 'published' })
    expect(read.blocks.content).toEqual(lines('1'))
    expect((await getLessonText(ours.as.OWNER, { lessonId, revision: 'draft' })).blocks.content).toEqual(lines('2'))
  })

  test('are written by authors only', async () => {
    const { lessonId } = await lessonOf('1')
    const action = { lessonId, version: 1, note: 'Ні' }
    for (const actor of [ours.as.CURATOR, ours.as.STUDENT, ours.as.MEMBER]) {
      await expect(nameRevision(actor, action)).rejects.toMatchObject({ code: 'forbidden' })
      await expect(restoreRevision(actor, action)).rejects.toMatchObject({ code: 'forbidden' })
    }
  })

  test('are thinned after a month: one automatic revision a day and every named one stay', async () => {
    const { lessonId } = await lessonOf('1')
    const at = (days: number, hour: number) => new Date(Date.UTC(2026, 0, 1 + days, hour)).toISOString()
    const rows = [
      [1, 'auto', at(0, 8)],
      [2, 'auto', at(0, 9)],
      [3, 'named', at(0, 10)],
      [4, 'auto', at(0, 11)],
      [5, 'auto', at(1, 8)],
      [6, 'auto', at(40, 8)],
      [7, 'auto', at(40, 9)],
    ] as const
    await inTenant(ours.as.OWNER, async (tx) => {
      for (const [version, kind, when] of rows)
        await tx.execute(sql`insert into lesson_revision (tenant_id, lesson_id, version, kind, title, blocks, by, at)
          select tenant_id, id, ${version}, ${kind}, title, blocks, updated_by, ${when} from lesson where id = ${lessonId}`)
    })
    expect(await thinRevisions(new Date(at(45, 0)))).toBe(2)
    const left = await listRevisions(ours.as.OWNER, { lessonId })
    expect(left.map(({ version }) => version)).toEqual([7, 6, 5, 4, 3])
  })
})
