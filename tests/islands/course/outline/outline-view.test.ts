import { describe, expect, test } from 'vitest'
import {
  changeLessonsInOutline,
  findStep,
  lessonsOf,
  moveLessons,
  moveModuleInOutline,
  parseTitles,
  removeLessons,
} from '#islands/course/outline/outline-view.ts'
import type { OutlineLesson, OutlineModule } from '#lib/course/outline/schema.ts'

const lesson = (id: string): OutlineLesson => ({
  id,
  title: id,
  words: 1,
  durationMinutes: null,
  state: 'new',
  taskCount: 0,
  hidden: false,
  required: true,
  freePreview: false,
  availability: { mode: 'open' },
  completionRule: { mode: 'manual' },
})

const module = (id: string, lessons: string): OutlineModule => ({
  id,
  title: id,
  description: '',
  hidden: false,
  availability: { mode: 'open' },
  lessons: [...lessons].map(lesson),
})

const outline = [module('А', '123'), module('Б', ''), module('В', '45')]
const shape = (modules: readonly OutlineModule[]) =>
  modules.map(({ id, lessons }) => id + lessons.map((lesson) => lesson.id).join('')).join(' ')

describe('the view of an outline', () => {
  test('moves lessons together, before a neighbour that may move with them', () => {
    expect(shape(moveLessons(outline, ['4', '1'], 'Б', null))).toBe('А23 Б41 В5')
    expect(shape(moveLessons(outline, ['1', '2'], 'А', '2'))).toBe('А123 Б В45')
    expect(shape(moveLessons(outline, ['3'], 'А', '1'))).toBe('А312 Б В45')
    expect(shape(moveLessons(outline, ['nobody'], 'А', '1'))).toBe('А123 Б В45')
  })

  test('moves across module boundaries, into empty modules too, and stops at the ends', () => {
    const stepped = (ids: string[], by: -1 | 1) => {
      const to = findStep(outline, ids, by)
      return to && shape(moveLessons(outline, ids, to.moduleId, to.beforeId))
    }
    expect(stepped(['1'], 1)).toBe('А213 Б В45')
    expect(stepped(['1', '2'], 1)).toBe('А312 Б В45')
    expect(stepped(['3'], 1)).toBe('А12 Б3 В45')
    expect(stepped(['4'], -1)).toBe('А123 Б4 В5')
    expect(stepped(['1'], -1)).toBeNull()
    expect(stepped(['5'], 1)).toBeNull()
    expect(stepped(['gone'], 1)).toBeNull()
  })

  test('keeps the objects of unchanged rows, so that they are not rendered again', () => {
    const changed = changeLessonsInOutline(outline, ['4'], { hidden: true })
    expect(changed[0]).toBe(outline[0])
    expect(lessonsOf(changed).map(({ hidden }) => hidden)).toEqual([false, false, false, true, false])
    expect(changed[2]?.lessons[1]).toBe(outline[2]?.lessons[1])
    expect(removeLessons(outline, ['4'])[0]).toBe(outline[0])
    expect(shape(removeLessons(outline, ['1', '4']))).toBe('А23 Б В5')
    expect(shape(moveModuleInOutline(outline, 'В', 'А'))).toBe('В45 А123 Б')
  })
})

test('pasted lines become titles without list markers', () => {
  expect(parseTitles('1. Вступ\r\n\r\n  - План  \n• Звук\n2) Світло\n2026 рік')).toEqual([
    'Вступ',
    'План',
    'Звук',
    'Світло',
    '2026 рік',
  ])
  expect(parseTitles(' \n ')).toEqual([])
  expect(parseTitles('я'.repeat(300))[0]).toHaveLength(160)
})
