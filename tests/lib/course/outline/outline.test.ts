import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import { getCourse } from '#lib/course/course.ts'
import { getLesson, publishLesson } from '#lib/course/lesson/lesson.ts'
import { moveLesson, moveModule, placeLessons, placeModule } from '#lib/course/outline/arrange.ts'
import { changeLessons, changeModule, publishLessons, renameLesson } from '#lib/course/outline/bulk-change.ts'
import { undoChange } from '#lib/course/outline/change.ts'
import { addLessons, addModule, getOutline } from '#lib/course/outline/outline.ts'
import { moveTogether, restorePositions } from '#lib/course/outline/rules.ts'
import { deleteLessons, deleteModule, listTrash, restoreLessons, restoreModule } from '#lib/course/outline/trash.ts'
import { lesson } from '#lib/course/table.ts'
import { requestApi } from '../../../api/api-request.ts'
import { createCourse } from '../../../setup/parsed/course.ts'
import { duplicateCourse, duplicateLessons, duplicateModule } from '../../../setup/parsed/course-outline.ts'
import { addTestMember, createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

const text = (words: string): LessonDoc => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: words }] }],
})
const code = (refused: string) => expect.objectContaining({ code: refused })

let ours: TestTenant
let theirs: TestTenant
let owner: Actor
let expert: Actor
beforeAll(async () => {
  ours = await createTestTenant()
  theirs = await createOtherTenant()
  owner = ours.as.OWNER
  expert = ours.as.EXPERT
})

/** Two modules with three lessons each, by their titles. */
async function written(by: Actor = owner) {
  const { courseId } = await createCourse(by, { title: 'Курс' })
  const ids: Record<string, string> = {}
  for (const [module, titles] of [
    ['А', ['1', '2', '3']],
    ['Б', ['4', '5', '6']],
  ] as const) {
    const { moduleId } = await addModule(by, { courseId, title: module })
    const { lessonIds } = await addLessons(by, { moduleId, titles: [...titles] })
    ids[module] = moduleId
    titles.forEach((title, at) => {
      ids[title] = lessonIds[at] ?? ''
    })
  }
  const id = (name: string) => ids[name] ?? ''
  const some = (names: string) => [...names].map(id)
  const shape = async () => {
    const modules = await getOutline(by, { courseId })
    return modules.map((module) => `${module.title}:${module.lessons.map(({ title }) => title).join('')}`).join(' ')
  }
  const full = () => getOutline(by, { courseId })
  return { courseId, id, some, shape, full }
}
type Course = Awaited<ReturnType<typeof written>>

const undo = async (changeId: string | null, by = owner) => {
  expect(changeId).not.toBeNull()
  await undoChange(by, { changeId: changeId ?? '' })
}

describe('moves', () => {
  test('place many lessons together where they were dropped, also across modules', async () => {
    const { courseId, id, some, shape } = await written()
    const place = (names: string, module: string, before: string | null) =>
      placeLessons(owner, {
        courseId,
        lessonIds: some(names),
        moduleId: id(module),
        beforeId: before && id(before),
      })
    const { changeId } = await place('15', 'Б', '6')
    expect(await shape()).toBe('А:23 Б:4156')
    await undo(changeId)
    expect(await shape()).toBe('А:123 Б:456')
    await place('3', 'А', '1')
    await place('4', 'А', null)
    expect(await shape()).toBe('А:3124 Б:56')
    // Dropped at its own position: nothing changes, nothing can be undone.
    expect((await place('4', 'А', '4')).changeId).toBeNull()
    expect((await place('2', 'А', '4')).changeId).toBeNull()
  })

  test('concurrent moves of different lessons by two authors both take effect', async () => {
    const { courseId, id, shape } = await written()
    const [mine, theirs] = await Promise.all([
      placeLessons(owner, { courseId, lessonIds: [id('1')], moduleId: id('Б'), beforeId: id('5') }),
      placeLessons(expert, { courseId, lessonIds: [id('6')], moduleId: id('А'), beforeId: id('3') }),
    ])
    expect(await shape()).toBe('А:263 Б:415')
    await undo(mine.changeId)
    expect(await shape()).toBe('А:1263 Б:45')
    await undo(theirs.changeId, expert)
    expect(await shape()).toBe('А:123 Б:456')
  })

  test('a deleted anchor lesson means the end, a deleted module is refused', async () => {
    const { courseId, id, shape } = await written()
    await deleteLessons(expert, { courseId, lessonIds: [id('5')] })
    await placeLessons(owner, { courseId, lessonIds: [id('1')], moduleId: id('Б'), beforeId: id('5') })
    expect(await shape()).toBe('А:23 Б:461')
    await deleteModule(expert, { moduleId: id('Б') })
    const late = placeLessons(owner, { courseId, lessonIds: [id('2')], moduleId: id('Б'), beforeId: null })
    await expect(late).rejects.toEqual(code('not_found'))
  })

  test('move modules and undo the move', async () => {
    const { id, shape } = await written()
    const { changeId } = await placeModule(owner, { moduleId: id('Б'), beforeId: id('А') })
    expect(await shape()).toBe('Б:456 А:123')
    await undo(changeId)
    expect(await shape()).toBe('А:123 Б:456')
  })

  test('any sequence of moves is undone exactly, last first', async () => {
    const course = await written()
    const actions = fc.array(
      fc.tuple(
        fc.uniqueArray(fc.constantFrom(...'123456'), { minLength: 1 }),
        fc.constantFrom('А', 'Б'),
        fc.option(fc.constantFrom(...'123456')),
      ),
      { minLength: 1, maxLength: 6 },
    )
    await fc.assert(
      fc.asyncProperty(actions, async (moves) => {
        const before = await course.full()
        const done: (string | null)[] = []
        for (const [names, module, adjacent] of moves) {
          const about = { courseId: course.courseId, lessonIds: names.map(course.id), moduleId: course.id(module) }
          done.push((await placeLessons(owner, { ...about, beforeId: adjacent && course.id(adjacent) })).changeId)
        }
        for (const changeId of done.reverse()) if (changeId) await undoChange(owner, { changeId })
        expect(await course.full()).toEqual(before)
      }),
      { numRuns: 25 },
    )
  })

  test('the browser computes the same order', () => {
    const ids = fc.uniqueArray(fc.constantFrom(...'abcdefgh'), { minLength: 1 })
    fc.assert(
      fc.property(
        ids,
        fc.subarray([...'abcdefgh']),
        fc.option(fc.constantFrom(...'abcdefgh')),
        (list, some, before) => {
          const moved = some.filter((id) => list.includes(id))
          const now = moveTogether(list, moved, before)
          expect([...now].sort()).toEqual([...list].sort())
          expect(restorePositions(now, new Set(moved), list)).toEqual(list)
        },
      ),
    )
  })
})

describe('changes of many lessons', () => {
  test('add, hide, set and delete lessons and undo each exactly', async () => {
    const course = await written()
    const { courseId, some, full } = course
    const before = await full()
    const lessonIds = some('135')
    const actions: ((course: Course) => Promise<{ changeId: string | null }>)[] = [
      () => changeLessons(owner, { courseId, lessonIds, change: { hidden: true, required: false } }),
      () => changeLessons(owner, { courseId, lessonIds, change: { availability: { mode: 'manual' } } }),
      () =>
        changeLessons(owner, {
          courseId,
          lessonIds,
          change: { completionRule: { mode: 'watched', percent: 90 }, freePreview: true, durationMinutes: 15 },
        }),
      () => deleteLessons(owner, { courseId, lessonIds }),
      () => deleteModule(owner, { moduleId: course.id('А') }),
      () =>
        changeModule(owner, {
          moduleId: course.id('А'),
          change: { title: 'Інша', description: 'Про що', hidden: true },
        }),
      () => addLessons(owner, { moduleId: course.id('А'), titles: ['7', '8'], beforeId: course.id('2') }),
      () => addModule(owner, { courseId, title: 'В' }),
    ]
    for (const action of actions) {
      const { changeId } = await action(course)
      expect(await full()).not.toEqual(before)
      await undo(changeId)
      await undo(changeId)
      expect(await full()).toEqual(before)
    }
  })

  test('publish lessons with text, unhide hidden ones, and undo both', async () => {
    const { courseId, id, some, full } = await written()
    const write = (name: string, words: string) =>
      inTenant(owner, (tx) =>
        tx
          .update(lesson)
          .set({ blocks: text(words), words: 1, version: 2 })
          .where(eq(lesson.id, id(name))),
      )
    await write('1', 'перший')
    await write('2', 'другий')
    await publishLesson(owner, { lessonId: id('1') })
    await changeLessons(owner, { courseId, lessonIds: some('12'), change: { hidden: true } })
    await inTenant(owner, (tx) =>
      tx
        .update(lesson)
        .set({ version: 3, blocks: text('новий') })
        .where(eq(lesson.id, id('1'))),
    )
    const before = await full()
    const { changed, empty, changeId } = await publishLessons(owner, { courseId, lessonIds: some('123') })
    expect([changed.sort(), empty]).toEqual([some('12').sort(), some('3')])
    expect((await full())[0]?.lessons.map(({ state, hidden }) => [state, hidden])).toEqual([
      ['published', false],
      ['published', false],
      ['new', false],
    ])
    expect((await publishLessons(owner, { courseId, lessonIds: some('12') })).changeId).toBeNull()
    await undo(changeId)
    expect(await full()).toEqual(before)
    const [row] = await inTenant(owner, (tx) =>
      tx
        .select({ blocks: lesson.publishedBlocks })
        .from(lesson)
        .where(eq(lesson.id, id('1'))),
    )
    expect(row?.blocks).toEqual(text('перший'))
  })

  test('an undo keeps later changes by others', async () => {
    const { courseId, id, some, full } = await written()
    const { changeId } = await changeLessons(owner, {
      courseId,
      lessonIds: some('12'),
      change: { hidden: true, required: false },
    })
    await changeLessons(expert, { courseId, lessonIds: [id('1')], change: { required: true } })
    await changeLessons(expert, { courseId, lessonIds: [id('1')], change: { required: false, freePreview: true } })
    await changeLessons(expert, { courseId, lessonIds: [id('2')], change: { hidden: false } })
    await undo(changeId)
    expect(
      (await full())[0]?.lessons.map(({ hidden, required, freePreview }) => [hidden, required, freePreview]),
    ).toEqual([
      [false, true, true],
      [false, true, false],
      [false, true, false],
    ])
  })

  test('skip lessons deleted in the meantime and refuse when none is left', async () => {
    const { courseId, some } = await written()
    await deleteLessons(expert, { courseId, lessonIds: some('1') })
    const { changed } = await changeLessons(owner, { courseId, lessonIds: some('12'), change: { hidden: true } })
    expect(changed).toEqual(some('2'))
    const late = changeLessons(owner, { courseId, lessonIds: some('1'), change: { hidden: true } })
    await expect(late).rejects.toEqual(code('not_found'))
  })

  test('a double click causes one change', async () => {
    const { courseId, some } = await written()
    const click = () => changeLessons(owner, { courseId, lessonIds: some('1'), change: { hidden: true } })
    const answers = await Promise.all([click(), click(), click()])
    expect(answers.filter(({ changeId }) => changeId !== null)).toHaveLength(1)
  })

  test('count the lessons that are visible to students', async () => {
    const { courseId, some } = await written()
    const { changeId } = await deleteLessons(owner, { courseId, lessonIds: some('123') })
    expect((await getCourse(owner, { courseId })).lessonCount).toBe(3)
    await undo(changeId)
    expect((await getCourse(owner, { courseId })).lessonCount).toBe(6)
  })

  test('refuse invalid rules, invalid titles, too many lessons, or none', async () => {
    const { courseId, id, some } = await written()
    const lessonIds = some('1')
    const invalidChanges = [
      { availability: { mode: 'never' } },
      { availability: { mode: 'afterStart', days: 1, time: '25:00', zone: 'Europe/Kyiv' } },
      { completionRule: { mode: 'watched', percent: 0 } },
      { durationMinutes: -5 },
    ]
    const calls = [
      ...invalidChanges.map((change) => ['changeLessons', { courseId, lessonIds, change }] as const),
      ['changeLessons', { courseId, lessonIds: [], change: {} }] as const,
      ['addLessons', { moduleId: id('А'), titles: ['добра', '  '] }] as const,
      ['addLessons', { moduleId: id('А'), titles: Array(101).fill('a') }] as const,
    ]
    for (const [action, body] of calls) {
      const reply = await requestApi('POST', `course/${action}`, { actor: owner, body })
      expect(reply, JSON.stringify(body)).toMatchObject({ status: 400, body: { code: 'invalid' } })
    }
  })
})

describe('texts', () => {
  test('do not overwrite another author’s text', async () => {
    const { id } = await written()
    const moduleId = id('А')
    await changeModule(expert, { moduleId, change: { title: 'Інша' }, previous: { title: 'А' } })
    const late = changeModule(owner, { moduleId, change: { title: 'Третя' }, previous: { title: 'А' } })
    await expect(late).rejects.toMatchObject({ code: 'conflict', details: { data: { title: 'Інша' } } })
    await changeModule(owner, { moduleId, change: { description: 'Про що' }, previous: { description: '' } })
    await renameLesson(expert, { lessonId: id('1'), title: 'Один', previousTitle: '1' })
    const stale = renameLesson(owner, { lessonId: id('1'), title: 'Раз', previousTitle: '1' })
    await expect(stale).rejects.toMatchObject({ code: 'conflict', details: { data: { title: 'Один' } } })
    const again = await renameLesson(owner, { lessonId: id('1'), title: 'Один', previousTitle: '1' })
    expect(again).toEqual({ changeId: null, version: 2 })
  })

  test('a new title makes a new version of the draft, and so does its undo', async () => {
    const { id, shape } = await written()
    const { changeId, version } = await renameLesson(owner, { lessonId: id('1'), title: 'Один' })
    expect([version, await shape()]).toEqual([2, 'А:Один23 Б:456'])
    await undo(changeId)
    expect((await getLesson(owner, { lessonId: id('1') })).version).toBe(3)
    expect(await shape()).toBe('А:123 Б:456')
  })
})

describe('permissions', () => {
  test('a curator sees the outline and changes nothing, a student neither', async () => {
    const { courseId, id, some } = await written()
    const { changeId } = await changeLessons(owner, { courseId, lessonIds: some('1'), change: { hidden: true } })
    await listTrash(ours.as.CURATOR, { courseId })
    await expect(listTrash(ours.as.STUDENT, { courseId })).rejects.toEqual(code('forbidden'))
    for (const somebody of [ours.as.CURATOR, ours.as.STUDENT, ours.as.MODERATOR]) {
      for (const call of actions(somebody, { courseId, id, some, changeId })) {
        await expect(call()).rejects.toEqual(code('forbidden'))
      }
    }
  })

  test('another tenant finds nothing', async () => {
    const { courseId, id, some, shape } = await written()
    const { changeId } = await changeLessons(owner, { courseId, lessonIds: some('1'), change: { hidden: true } })
    for (const call of actions(theirs.as.OWNER, { courseId, id, some, changeId })) {
      await expect(call()).rejects.toEqual(code('not_found'))
    }
    expect(await shape()).toBe('А:123 Б:456')
  })

  test('lessons of another course, or into another course, are not found', async () => {
    const [first, other] = [await written(), await written()]
    const into = { courseId: first.courseId, lessonIds: first.some('1'), moduleId: other.id('А'), beforeId: null }
    await expect(placeLessons(owner, into)).rejects.toEqual(code('not_found'))
    const before = { courseId: first.courseId, moduleId: first.id('А'), beforeId: other.id('1') }
    await expect(placeLessons(owner, { ...before, lessonIds: first.some('1') })).rejects.toEqual(code('not_found'))
    const beforeForeign = placeModule(owner, { moduleId: first.id('А'), beforeId: other.id('А') })
    await expect(beforeForeign).rejects.toEqual(code('not_found'))
    const foreign = { courseId: first.courseId, lessonIds: other.some('1') }
    await expect(deleteLessons(owner, foreign)).rejects.toEqual(code('not_found'))
    await expect(duplicateLessons(owner, foreign, async () => new Map())).rejects.toEqual(code('not_found'))
  })

  test('only its author undoes a change', async () => {
    const { courseId, some } = await written()
    const { changeId } = await deleteLessons(owner, { courseId, lessonIds: some('1') })
    const other = await addTestMember(ours, 'EXPERT', `expert-${Date.now()}@here.test`)
    await expect(undoChange(other, { changeId: changeId ?? '' })).rejects.toEqual(code('not_found'))
  })
})

interface Request {
  courseId: string
  id: (name: string) => string
  some: (names: string) => string[]
  changeId: string | null
}

/** Every action on an outline. */
function actions(by: Actor, { courseId, id, some, changeId }: Request): (() => Promise<unknown>)[] {
  const [lessonIds, moduleId] = [some('12'), id('А')]
  const none = async () => new Map<string, string>()
  return [
    () => addModule(by, { courseId, title: 'x' }),
    () => addLessons(by, { moduleId, titles: ['x'] }),
    () => changeModule(by, { moduleId, change: { hidden: true } }),
    () => changeLessons(by, { courseId, lessonIds, change: { hidden: true } }),
    () => publishLessons(by, { courseId, lessonIds }),
    () => placeLessons(by, { courseId, lessonIds, moduleId, beforeId: null }),
    () => placeModule(by, { moduleId, beforeId: null }),
    () => moveModule(by, { moduleId, direction: 1 }),
    () => moveLesson(by, { lessonId: id('1'), direction: 1 }),
    () => renameLesson(by, { lessonId: id('1'), title: 'x' }),
    () => deleteLessons(by, { courseId, lessonIds }),
    () => restoreLessons(by, { courseId, lessonIds }),
    () => deleteModule(by, { moduleId }),
    () => restoreModule(by, { moduleId }),
    () => duplicateLessons(by, { courseId, lessonIds }, none),
    () => duplicateModule(by, { moduleId }, none),
    () => duplicateCourse(by, { courseId }, { copyTasks: none, copyTests: none }),
    () => undoChange(by, { changeId: changeId ?? '' }),
  ]
}
