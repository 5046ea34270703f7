import { Ellipsis } from 'lucide-react'
import type { ReactNode } from 'react'
import type { OutlineModule } from '#lib/course/outline/schema.ts'
import { AddLine } from './AddLine.tsx'
import { OutlineModuleBox } from './OutlineModuleBox.tsx'
import type { OutlineLife } from './outline-life.ts'
import type { OutlineProps, OutlineWords } from './outline-view.ts'

interface Props extends Pick<OutlineProps, 'courseId' | 'current' | 'edits' | 'numbered' | 'refused'> {
  modules: readonly OutlineModule[]
  words: OutlineWords
  life: OutlineLife | null
  chosen?: ReadonlySet<string>
  folded?: ReadonlySet<string>
  /** The id of what is being renamed. */
  renaming?: string | null
  children?: ReactNode
}

const NONE: ReadonlySet<string> = new Set()

/** Modules with their lessons. */
export function OutlineList({ modules, words, life, chosen = NONE, folded = NONE, renaming = null, ...rest }: Props) {
  const { courseId, edits, current, numbered, refused, children } = rest
  const { say } = words
  return (
    <section aria-labelledby="outline-heading" data-outline data-outline-live={life && edits ? '' : undefined}>
      <div className="outline-top">
        <h2 id="outline-heading" className="text-lg font-semibold">
          {say('outline:title')}
        </h2>
        {edits && life && (
          <button
            type="button"
            className="btn btn-ghost btn-sm btn-square"
            aria-haspopup="menu"
            aria-label={say('outline:courseActs')}
            onClick={(event) => life.onMenu('course', courseId, event.currentTarget)}
          >
            <Ellipsis size={18} strokeWidth={1.75} aria-hidden="true" />
          </button>
        )}
      </div>
      {edits && modules.length > 0 && <p className="outline-hint">{say('outline:keysHint')}</p>}
      <ol className="outline-modules" data-numbered={numbered ? '' : undefined}>
        {modules.map((module) => (
          <OutlineModuleBox
            key={module.id}
            module={module}
            courseId={courseId}
            edits={edits}
            words={words}
            life={life}
            current={module.lessons.some(({ id }) => id === current) ? current : null}
            chosen={module.lessons.some(({ id }) => chosen.has(id)) ? chosen : NONE}
            folded={folded.has(module.id)}
            renaming={renaming === module.id || module.lessons.some(({ id }) => id === renaming) ? renaming : null}
            refused={refused?.act === 'addLessons' && refused.moduleId === module.id ? refused : null}
          />
        ))}
      </ol>
      {edits && (
        <div className="mt-4">
          <AddLine
            say={say}
            moduleId={null}
            open={modules.length === 0}
            refused={refused?.act === 'addModule' ? refused : null}
            onAdd={life && (([title = '']) => life.onAddModule(title))}
          />
        </div>
      )}
      {children}
    </section>
  )
}
