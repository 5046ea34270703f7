import { memo } from 'react'
import type { OutlineLesson } from '#lib/course/outline/schema.ts'
import { OutlineBadges } from './OutlineBadges.tsx'
import { OutlineMenuButton } from './OutlineMenuButton.tsx'
import { OutlineTitleField } from './OutlineTitleField.tsx'
import type { OutlineHandlers } from './outline-handlers.ts'
import type { OutlineContext } from './outline-view.ts'

interface Props {
  lesson: OutlineLesson
  courseId: string
  current: boolean
  edits: boolean
  isSelected: boolean
  renaming: boolean
  context: OutlineContext
  handlers: OutlineHandlers | null
}

/** A lesson of the outline. Kept minimal, because 300 of them are rendered at once. */
export const OutlineRow = memo(function OutlineRow({ lesson, courseId, current, edits, ...rest }: Props) {
  const { isSelected, renaming, context, handlers } = rest
  const { id, title } = lesson
  const { t } = context
  return (
    <li
      className="outline-row"
      data-lesson={id}
      data-hidden={lesson.hidden ? '' : undefined}
      data-chosen={isSelected ? '' : undefined}
      onContextMenu={(event) => {
        if (!handlers || !edits) return
        event.preventDefault()
        handlers.onMenu('lesson', id, { x: event.clientX, y: event.clientY })
      }}
    >
      {edits && handlers && (
        <input
          type="checkbox"
          className="checkbox checkbox-xs outline-check"
          checked={isSelected}
          aria-label={t('outline:choose', { title })}
          onChange={(event) => {
            const { nativeEvent } = event
            handlers.onChoose(id, { range: nativeEvent instanceof MouseEvent && nativeEvent.shiftKey })
          }}
        />
      )}
      {renaming && handlers ? (
        <OutlineTitleField
          label={t('outline:lessonTitle')}
          value={title}
          onDone={(typed) => handlers.onRenamed('lesson', id, typed)}
        />
      ) : (
        <a
          href={`/course/edit/${courseId}?lesson=${id}`}
          className="outline-link"
          data-stop
          draggable={false}
          aria-current={current ? 'page' : undefined}
          onClick={(event) => {
            if (handlers?.onOpen(id, event.shiftKey)) event.preventDefault()
          }}
        >
          <span className="outline-title">{title}</span>
          <OutlineBadges item={lesson} context={context} />
        </a>
      )}
      {edits && (
        <OutlineMenuButton
          kind="lesson"
          id={id}
          title={title}
          context={context}
          handlers={handlers}
          className="outline-more"
        />
      )}
    </li>
  )
})
