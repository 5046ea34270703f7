import { Ellipsis } from 'lucide-react'
import { memo } from 'react'
import type { OutlineLesson } from '#lib/course/outline/schema.ts'
import { OutlineMarks } from './OutlineMarks.tsx'
import type { OutlineLife } from './outline-life.ts'
import type { OutlineWords } from './outline-view.ts'
import { RenameField } from './RenameField.tsx'

interface Props {
  lesson: OutlineLesson
  courseId: string
  current: boolean
  edits: boolean
  chosen: boolean
  renaming: boolean
  words: OutlineWords
  life: OutlineLife | null
}

/** A lesson of the outline. Three hundred of them are drawn at once, so that each is as little as possible. */
export const OutlineRow = memo(function OutlineRow({ lesson, courseId, current, edits, ...rest }: Props) {
  const { chosen, renaming, words, life } = rest
  const { id, title } = lesson
  const { say } = words
  return (
    <li
      className="outline-row"
      data-lesson={id}
      data-hidden={lesson.hidden ? '' : undefined}
      data-chosen={chosen ? '' : undefined}
      onContextMenu={(event) => {
        if (!life || !edits) return
        event.preventDefault()
        life.onMenu('lesson', id, { x: event.clientX, y: event.clientY })
      }}
    >
      {edits && life && (
        <input
          type="checkbox"
          className="checkbox checkbox-xs outline-check"
          checked={chosen}
          aria-label={say('outline:choose', { title })}
          onChange={(event) => {
            const { nativeEvent } = event
            life.onChoose(id, { range: nativeEvent instanceof MouseEvent && nativeEvent.shiftKey })
          }}
        />
      )}
      {renaming && life ? (
        <RenameField
          label={say('outline:lessonTitle')}
          value={title}
          onDone={(typed) => life.onRenamed('lesson', id, typed)}
        />
      ) : (
        <a
          href={`/course/edit/${courseId}?lesson=${id}`}
          className="outline-link"
          data-stop
          draggable={false}
          aria-current={current ? 'page' : undefined}
          onClick={(event) => {
            if (life?.onOpen(id, event.shiftKey)) event.preventDefault()
          }}
        >
          <span className="outline-title">{title}</span>
          <OutlineMarks of={lesson} words={words} />
        </a>
      )}
      {edits && (
        <button
          type="submit"
          form="outline-acts"
          name="of"
          value={id}
          className="btn btn-ghost btn-xs btn-square outline-more"
          aria-label={say('outline:actsOf', { title })}
          aria-haspopup={life ? 'menu' : undefined}
          onClick={(event) => {
            if (!life) return
            event.preventDefault()
            life.onMenu('lesson', id, event.currentTarget)
          }}
        >
          <Ellipsis size={16} strokeWidth={1.75} aria-hidden="true" />
        </button>
      )}
    </li>
  )
})
