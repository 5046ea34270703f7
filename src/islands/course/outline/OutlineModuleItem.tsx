import { ChevronDown } from 'lucide-react'
import { memo } from 'react'
import type { OutlineModule } from '#lib/course/outline/schema.ts'
import { AddForm } from './AddForm.tsx'
import { OutlineBadges } from './OutlineBadges.tsx'
import { OutlineMenuButton } from './OutlineMenuButton.tsx'
import { OutlineRow } from './OutlineRow.tsx'
import { OutlineTitleField } from './OutlineTitleField.tsx'
import type { OutlineHandlers } from './outline-handlers.ts'
import type { OutlineContext, OutlineProps } from './outline-view.ts'

interface Props extends Pick<OutlineProps, 'courseId' | 'current' | 'edits' | 'refused'> {
  module: OutlineModule
  context: OutlineContext
  handlers: OutlineHandlers | null
  selected: ReadonlySet<string>
  folded: boolean
  renaming: string | null
}

/** A module with its title, lessons and the form that adds lessons. */
export const OutlineModuleItem = memo(function OutlineModuleBox(props: Props) {
  const { module, courseId, current, edits, context, handlers, selected, folded, renaming, refused } = props
  const { t } = context
  const { id, title } = module
  return (
    <li className="card-line outline-module" data-module={id} data-hidden={module.hidden ? '' : undefined}>
      <div className="outline-head" data-handle>
        {handlers && (
          <button
            type="button"
            className="btn btn-ghost btn-xs btn-square outline-fold"
            data-stop
            aria-expanded={!folded}
            aria-label={t(folded ? 'outline:unfold' : 'outline:fold', { title })}
            onClick={() => handlers.onFold(id)}
          >
            <ChevronDown size={16} strokeWidth={1.75} aria-hidden="true" />
          </button>
        )}
        {renaming === id && handlers ? (
          <OutlineTitleField
            label={t('outline:moduleTitle')}
            value={title}
            onDone={(typed) => handlers.onRenamed('module', id, typed)}
          />
        ) : (
          <h3
            className="min-w-0 flex-1 break-words font-semibold"
            onDoubleClick={() => edits && handlers?.onRenamed('module', id, '')}
          >
            {title}
          </h3>
        )}
        <OutlineBadges item={module} context={context} />
        <span
          className="text-muted text-sm tabular-nums"
          title={t('outline:lessons', { count: module.lessons.length })}
        >
          <span aria-hidden="true">{module.lessons.length}</span>
          <span className="sr-only">{t('outline:lessons', { count: module.lessons.length })}</span>
        </span>
        {edits && <OutlineMenuButton kind="module" id={id} title={title} context={context} handlers={handlers} />}
      </div>
      {module.description && !folded && <p className="outline-about">{module.description}</p>}
      <ol hidden={folded}>
        {module.lessons.map((lesson) => (
          <OutlineRow
            key={lesson.id}
            lesson={lesson}
            courseId={courseId}
            edits={edits}
            context={context}
            handlers={handlers}
            current={lesson.id === current}
            isSelected={selected.has(lesson.id)}
            renaming={renaming === lesson.id}
          />
        ))}
        {module.lessons.length === 0 && <li className="outline-empty">{t('outline:emptyModule')}</li>}
      </ol>
      {edits && !folded && (
        <AddForm
          t={t}
          moduleId={id}
          open={false}
          refused={refused}
          onAdd={handlers && ((titles) => handlers.onAdd(id, titles))}
        />
      )}
    </li>
  )
})
