import { expect, test } from 'vitest'
import { groupSimilar } from '#lib/inbox/similar-rules.ts'

const question = (ref: string, excerpt: string, change: object = {}) => ({
  ref,
  kind: 'lesson' as const,
  excerpt,
  courseId: 'c1',
  lesson: 'Урок 1',
  taskId: null,
  ...change,
})

test('questions about the same lesson with similar words are one group', () => {
  const groups = groupSimilar([
    question('a', 'Не відкривається відео в уроці'),
    question('b', 'Де знайти конспект лекції?'),
    question('c', 'У мене не відкривається відео уроку'),
    question('d', 'не відкривається відео'),
  ])
  expect([...groups]).toEqual([
    ['a', { key: '0', count: 3, isFirst: true }],
    ['c', { key: '0', count: 3, isFirst: false }],
    ['d', { key: '0', count: 3, isFirst: false }],
  ])
})

test('other lessons, works without a text, tasks and single questions belong to no group', () => {
  const same = 'Не відкривається відео в уроці'
  const groups = groupSimilar([
    question('a', same),
    question('b', same, { lesson: 'Урок 2' }),
    question('c', same, { kind: 'homework' }),
    question('d', same, { kind: 'task' }),
    question('e', ''),
    question('f', ''),
    question('g', '!!! ???'),
  ])
  expect(groups.size).toBe(0)
})
