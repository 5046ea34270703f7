interface Props {
  /** The final shape: `lines` of text, `cards` in a grid, or `rows` of a table. */
  shape: 'lines' | 'cards' | 'rows'
  count?: number
  /** Text for screen readers. */
  label: string
}

const LINE_WIDTHS = ['w-full', 'w-11/12', 'w-4/5', 'w-2/3']

/** A loading placeholder in the shape of the content. */
export function Skeleton({ shape, count = 3, label }: Props) {
  const places = Array.from({ length: count }, (_, index) => index)
  return (
    <div role="status" className={shape === 'cards' ? 'grid gap-4 sm:grid-cols-2 lg:grid-cols-3' : 'grid gap-3'}>
      <span className="sr-only">{label}</span>
      {places.map((place) =>
        shape === 'cards' ? (
          <div key={place} aria-hidden="true" className="card-line grid gap-3 p-5">
            <div className="skeleton-line h-6 w-4/5" />
            <div className="skeleton-line h-4 w-1/2" />
          </div>
        ) : (
          <div
            key={place}
            aria-hidden="true"
            className={`skeleton-line ${shape === 'rows' ? 'h-11 w-full' : `h-4 ${LINE_WIDTHS[place % LINE_WIDTHS.length]}`}`}
          />
        ),
      )}
    </div>
  )
}
