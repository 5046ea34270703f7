import type { OutlineModule } from '#lib/course/outline/schema.ts'
import { RuleWindow } from '../access/RuleWindow.tsx'
import { LessonWindow } from '../lesson/LessonWindow.tsx'
import { RunWindow } from '../RunWindow.tsx'
import { ModuleWindow } from './ModuleWindow.tsx'
import { MoveWindow } from './MoveWindow.tsx'
import type { OutlineQuestion } from './outline-question.ts'
import type { OutlineStore } from './outline-store.ts'
import { lessonsOf, type OutlineWords } from './outline-view.ts'

interface Props {
  question: OutlineQuestion
  words: OutlineWords
  store: OutlineStore
  modules: readonly OutlineModule[]
  courseId: string
  title: string
  onClose: () => void
}

/** The windows of the outline, fetched when the first of them is asked for. */
export default function OutlineWindows({ question, words, store, modules, courseId, title, onClose }: Props) {
  const shared = { words, store, onClose }
  switch (question.ask) {
    case 'lesson': {
      const lesson = lessonsOf(modules).find(({ id }) => id === question.id)
      return lesson ? <LessonWindow {...shared} lesson={lesson} /> : null
    }
    case 'module': {
      const module = modules.find(({ id }) => id === question.id)
      return module ? <ModuleWindow {...shared} module={module} /> : null
    }
    case 'move':
      return <MoveWindow {...shared} ids={question.ids} modules={modules} />
    case 'rule':
      return <RuleWindow {...shared} lessons={lessonsOf(modules).filter(({ id }) => question.ids.includes(id))} />
    case 'copy':
    case 'run':
      return <RunWindow {...shared} courseId={courseId} title={title} shifts={question.ask === 'run'} />
  }
}
