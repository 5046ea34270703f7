import type { OutlineModule } from '#lib/course/outline/schema.ts'
import { RuleDialog } from '../access/RuleDialog.tsx'
import { CopyCourseDialog } from '../CopyCourseDialog.tsx'
import { LessonDialog } from '../lesson/LessonDialog.tsx'
import { ModuleDialog } from './ModuleDialog.tsx'
import { MoveLessonsDialog } from './MoveLessonsDialog.tsx'
import type { OutlineDialogRequest } from './outline-dialog.ts'
import type { OutlineStore } from './outline-store.ts'
import { lessonsOf, type OutlineContext } from './outline-view.ts'

interface Props {
  dialog: OutlineDialogRequest
  context: OutlineContext
  store: OutlineStore
  modules: readonly OutlineModule[]
  courseId: string
  title: string
  onClose: () => void
}

/** Dialogs of the outline, loaded with the first one. */
export default function OutlineDialogs({ dialog, context, store, modules, courseId, title, onClose }: Props) {
  const shared = { context, store, onClose }
  switch (dialog.kind) {
    case 'lesson': {
      const lesson = lessonsOf(modules).find(({ id }) => id === dialog.id)
      return lesson ? <LessonDialog {...shared} lesson={lesson} /> : null
    }
    case 'module': {
      const module = modules.find(({ id }) => id === dialog.id)
      return module ? <ModuleDialog {...shared} module={module} /> : null
    }
    case 'move':
      return <MoveLessonsDialog {...shared} ids={dialog.ids} modules={modules} />
    case 'rule':
      return <RuleDialog {...shared} lessons={lessonsOf(modules).filter(({ id }) => dialog.ids.includes(id))} />
    case 'copy':
    case 'run':
      return <CopyCourseDialog {...shared} courseId={courseId} title={title} isNewRun={dialog.kind === 'run'} />
  }
}
