import { useCallback } from 'react'

/** HTML that the server has drawn from a document and cleaned. */
export function RenderedText({ html, className = 'prose-lesson' }: { html: string; className?: string }) {
  const place = useCallback(
    (element: HTMLDivElement | null) => {
      if (element) element.innerHTML = html
    },
    [html],
  )
  return <div ref={place} className={className} />
}
