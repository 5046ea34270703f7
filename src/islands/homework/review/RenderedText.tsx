import { useCallback } from 'react'

/** HTML that the server has rendered and sanitised. */
export function RenderedText({ html, className = 'prose-lesson' }: { html: string; className?: string }) {
  const place = useCallback(
    (element: HTMLDivElement | null) => {
      if (element) element.innerHTML = html
    },
    [html],
  )
  return <div ref={place} className={className} />
}
