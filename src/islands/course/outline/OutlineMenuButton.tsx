import { Ellipsis } from 'lucide-react'
import type { OutlineHandlers } from './outline-handlers.ts'
import type { OutlineContext } from './outline-view.ts'

interface Props {
  kind: 'module' | 'lesson'
  id: string
  title: string
  context: OutlineContext
  handlers: OutlineHandlers | null
  className?: string
}

/** Opens the actions of a module or a lesson: a menu, without scripts a page with their forms. */
export function OutlineMenuButton({ kind, id, title, context, handlers, className = '' }: Props) {
  return (
    <button
      type="submit"
      form="outline-acts"
      name="of"
      value={id}
      className={`btn btn-ghost btn-xs btn-square ${className}`.trim()}
      aria-label={context.t('outline:actsOf', { title })}
      aria-haspopup={handlers ? 'menu' : undefined}
      onClick={(event) => {
        if (!handlers) return
        event.preventDefault()
        handlers.onMenu(kind, id, event.currentTarget)
      }}
    >
      <Ellipsis size={16} strokeWidth={1.75} aria-hidden="true" />
    </button>
  )
}
