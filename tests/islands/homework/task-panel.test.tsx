import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import TaskPanel from '#islands/homework/TaskPanel.tsx'
import type { TaskProps } from '#islands/homework/task-props.ts'

const TASK: TaskProps = {
  id: 't1',
  version: 1,
  title: 'План першого вебінару',
  type: 'file',
  instructions: { type: 'doc', content: [] },
  fileIds: [],
  files: [],
  acceptTypes: [],
  maxFiles: 5,
  maxBytes: 1_048_576,
  dueRule: null,
  latePolicy: 'accept',
  grading: 'acceptReject',
  maxPoints: null,
  passPoints: null,
  maxAttempts: null,
  rubric: [],
  sampleAnswer: null,
  showSample: 'never',
  slaHours: null,
  required: true,
}

const render = (tasks: TaskProps[]) => {
  const strings = { 'homework:task.none': 'Завдань ще немає', 'homework:task.untitled': 'Нове завдання' }
  return renderToString(
    <TaskPanel lessonId="l" tasks={tasks} owner="m" zone="Europe/Kyiv" locale="uk" strings={strings} />,
  )
}

test('the server renders the titles of the assignments, closed', () => {
  const html = render([TASK, { ...TASK, id: 't2', title: '' }])
  expect(html).toContain('План першого вебінару')
  expect(html).toContain('Нове завдання')
  expect(html).not.toContain('open=""')
  expect(html).not.toContain('Завдань ще немає')
})

test('the server renders the empty state of assignments', () => {
  expect(render([])).toContain('Завдань ще немає')
})
