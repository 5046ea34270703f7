import type { ReactNode } from 'react'
import { Illustration, type IllustrationKind } from './Illustration.tsx'

interface Props {
  title: string
  text?: string | undefined
  /** The illustration; by default a sheet with lines. */
  illustration?: IllustrationKind
  /** A word or number of at most six characters, drawn large in the illustration. */
  figure?: string | undefined
  /** Empty lists are under the h1 of a page; where the state is the whole page, pass 1. */
  level?: 1 | 2
  /** Buttons or links; one of them primary at most. */
  children?: ReactNode
}

/**
 * An empty list or page: an illustration, its purpose, and one action. Astro pages render it on the server: without a
 * `client:` directive it is plain HTML.
 */
export function EmptyState({ title, text, illustration = 'sheet', figure, level = 2, children }: Props) {
  const Heading = level === 1 ? 'h1' : 'h2'
  return (
    <section className="empty-state">
      <Illustration kind={illustration} figure={figure} />
      <div className="empty-state-text">
        <Heading className="font-semibold text-xl">{title}</Heading>
        {text && <p className="text-muted">{text}</p>}
        <div className="empty-state-actions">{children}</div>
      </div>
    </section>
  )
}
