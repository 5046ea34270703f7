import { ChevronDown, Ellipsis } from 'lucide-react'
import { memo } from 'react'
import type { OutlineModule } from '#lib/course/outline/schema.ts'
import { AddLine } from './AddLine.tsx'
import { OutlineMarks } from './OutlineMarks.tsx'
import { OutlineRow } from './OutlineRow.tsx'
import type { OutlineLife } from './outline-life.ts'
import type { OutlineProps, OutlineWords } from './outline-view.ts'
import { RenameField } from './RenameField.tsx'

interface Props extends Pick<OutlineProps, 'courseId' | 'current' | 'edits' | 'refused'> {
  module: OutlineModule
  words: OutlineWords
  life: OutlineLife | null
  chosen: ReadonlySet<string>
  folded: boolean
  renaming: string | null
}

/** A module: its title, its lessons, and the line that adds more. */
export const OutlineModuleBox = memo(function OutlineModuleBox(props: Props) {
  const { module, courseId, current, edits, words, life, chosen, folded, renaming, refused } = props
  const { say } = words
  const { id, title } = module
  return (
    <li className="card-line outline-module" data-module={id} data-hidden={module.hidden ? '' : undefined}>
      <div className="outline-head" data-handle>
        {life && (
          <button
            type="button"
            className="btn btn-ghost btn-xs btn-square outline-fold"
            data-stop
            aria-expanded={!folded}
            aria-label={say(folded ? 'outline:unfold' : 'outline:fold', { title })}
            onClick={() => life.onFold(id)}
          >
            <ChevronDown size={16} strokeWidth={1.75} aria-hidden="true" />
          </button>
        )}
        {renaming === id && life ? (
          <RenameField
            label={say('outline:moduleTitle')}
            value={title}
            onDone={(typed) => life.onRenamed('module', id, typed)}
          />
        ) : (
          <h3
            className="min-w-0 flex-1 break-words font-semibold"
            onDoubleClick={() => edits && life?.onRenamed('module', id, '')}
          >
            {title}
          </h3>
        )}
        <OutlineMarks of={module} words={words} />
        <span
          className="text-muted text-sm tabular-nums"
          title={say('outline:lessons', { count: module.lessons.length })}
        >
          <span aria-hidden="true">{module.lessons.length}</span>
          <span className="sr-only">{say('outline:lessons', { count: module.lessons.length })}</span>
        </span>
        {edits && (
          <button
            type="submit"
            form="outline-acts"
            name="of"
            value={id}
            className="btn btn-ghost btn-xs btn-square"
            aria-label={say('outline:actsOf', { title })}
            aria-haspopup={life ? 'menu' : undefined}
            onClick={(event) => {
              if (!life) return
              event.preventDefault()
              life.onMenu('module', id, event.currentTarget)
            }}
          >
            <Ellipsis size={16} strokeWidth={1.75} aria-hidden="true" />
          </button>
        )}
      </div>
      {module.description && !folded && <p className="outline-about">{module.description}</p>}
      <ol className="outline-lessons" hidden={folded}>
        {module.lessons.map((lesson) => (
          <OutlineRow
            key={lesson.id}
            lesson={lesson}
            courseId={courseId}
            edits={edits}
            words={words}
            life={life}
            current={lesson.id === current}
            chosen={chosen.has(lesson.id)}
            renaming={renaming === lesson.id}
          />
        ))}
        {module.lessons.length === 0 && <li className="outline-empty">{say('outline:emptyModule')}</li>}
      </ol>
      {edits && !folded && (
        <AddLine
          say={say}
          moduleId={id}
          open={false}
          refused={refused}
          onAdd={life && ((titles) => life.onAdd(id, titles))}
        />
      )}
    </li>
  )
})
