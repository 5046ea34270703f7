import { Ellipsis } from 'lucide-react'
import type { ReactNode } from 'react'
import type { OutlineModule } from '#lib/course/outline/schema.ts'
import { AddForm } from './AddForm.tsx'
import { OutlineModuleItem } from './OutlineModuleItem.tsx'
import type { OutlineHandlers } from './outline-handlers.ts'
import type { OutlineContext, OutlineProps } from './outline-view.ts'

interface Props extends Pick<OutlineProps, 'courseId' | 'current' | 'edits' | 'numbered' | 'refused'> {
  modules: readonly OutlineModule[]
  context: OutlineContext
  handlers: OutlineHandlers | null
  selected?: ReadonlySet<string>
  folded?: ReadonlySet<string>
  /** Id of the module or lesson that is being renamed. */
  renaming?: string | null
  children?: ReactNode
}

const NO_IDS: ReadonlySet<string> = new Set()

/** Lists the modules with their lessons. */
export function OutlineList({
  modules,
  context,
  handlers,
  selected = NO_IDS,
  folded = NO_IDS,
  renaming = null,
  ...rest
}: Props) {
  const { courseId, edits, current, numbered, refused, children } = rest
  const { t } = context
  return (
    <section aria-labelledby="outline-heading" data-outline data-outline-live={handlers && edits ? '' : undefined}>
      <div className="outline-top">
        <h2 id="outline-heading" className="text-lg font-semibold">
          {t('outline:title')}
        </h2>
        {edits && handlers && (
          <button
            type="button"
            className="btn btn-ghost btn-sm btn-square"
            aria-haspopup="menu"
            aria-label={t('outline:courseActs')}
            onClick={(event) => handlers.onMenu('course', courseId, event.currentTarget)}
          >
            <Ellipsis size={18} strokeWidth={1.75} aria-hidden="true" />
          </button>
        )}
      </div>
      {edits && modules.length > 0 && <p className="outline-hint">{t('outline:keysHint')}</p>}
      <ol className="outline-modules" data-numbered={numbered ? '' : undefined}>
        {modules.map((module) => (
          <OutlineModuleItem
            key={module.id}
            module={module}
            courseId={courseId}
            edits={edits}
            context={context}
            handlers={handlers}
            current={module.lessons.some(({ id }) => id === current) ? current : null}
            selected={module.lessons.some(({ id }) => selected.has(id)) ? selected : NO_IDS}
            folded={folded.has(module.id)}
            renaming={renaming === module.id || module.lessons.some(({ id }) => id === renaming) ? renaming : null}
            refused={refused?.intent === 'addLessons' && refused.moduleId === module.id ? refused : null}
          />
        ))}
      </ol>
      {edits && (
        <div className="mt-4">
          <AddForm
            t={t}
            moduleId={null}
            open={modules.length === 0}
            refused={refused?.intent === 'addModule' ? refused : null}
            onAdd={handlers && (([title = '']) => handlers.onAddModule(title))}
          />
        </div>
      )}
      {children}
    </section>
  )
}
