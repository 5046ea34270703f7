import type { ReactNode } from 'react'

export type IllustrationKind = 'sheet' | 'search' | 'people' | 'calendar' | 'chart' | 'folder' | 'chat' | 'table'

/** Lines on a sheet of 120 × 88 units. */
const LINES: Record<IllustrationKind, ReactNode> = {
  sheet: <path d="M16 26h52M16 40h80M16 54h72M16 68h40" />,
  search: (
    <>
      <path d="M16 26h36M16 40h28M16 54h24M16 68h32" />
      <circle cx="80" cy="44" r="18" className="illustration-accent" />
      <path d="m93 57 15 15" className="illustration-accent" />
    </>
  ),
  people: (
    <>
      <circle cx="26" cy="28" r="8" className="illustration-accent" />
      <circle cx="26" cy="60" r="8" />
      <path d="M44 25h44M44 33h28M44 57h52M44 65h24" />
    </>
  ),
  calendar: (
    <>
      <path d="M0 20h120M36 8v6M84 8v6M16 34h88M16 50h88M16 66h88M38 34v32M60 34v32M82 34v32" />
      <circle cx="71" cy="58" r="6" className="illustration-accent" />
    </>
  ),
  chart: (
    <>
      <path d="M18 14v58h88M18 52h88M18 32h88" />
      <path d="m24 62 18-14 18 6 20-26 20 8" className="illustration-accent" />
    </>
  ),
  folder: (
    <>
      <path d="M20 30v36a4 4 0 0 0 4 4h72a4 4 0 0 0 4-4V34a4 4 0 0 0-4-4H60l-8-9H24a4 4 0 0 0-4 4Z" />
      <path d="M60 60V42m-8 8 8-8 8 8" className="illustration-accent" />
    </>
  ),
  chat: (
    <>
      <path d="M16 18h56a4 4 0 0 1 4 4v16a4 4 0 0 1-4 4H32l-10 8v-8h-6" />
      <path d="M104 46H60a4 4 0 0 0-4 4v12a4 4 0 0 0 4 4h32l10 8v-8h2" className="illustration-accent" />
    </>
  ),
  table: (
    <>
      <path d="M0 22h120M0 44h120M0 66h120M36 0v88" />
      <path d="M48 33h44M48 55h30" className="illustration-accent" />
    </>
  ),
}

/**
 * A decorative illustration of typography and lines: two sheets of paper, with `figure` in large type on the front one.
 */
export function Illustration({ kind, figure }: { kind: IllustrationKind; figure?: string | undefined }) {
  return (
    <svg className="illustration" viewBox="0 0 160 120" width="160" height="120" aria-hidden="true">
      <rect x="24" y="10" width="120" height="88" rx="8" transform="rotate(5 84 54)" className="illustration-sheet" />
      <g transform="translate(16 18)">
        <rect width="120" height="88" rx="8" className="illustration-sheet" />
        {figure === undefined ? (
          LINES[kind]
        ) : (
          <>
            <text
              x="16"
              y="46"
              className={figure.length > 5 ? 'illustration-figure illustration-figure-long' : 'illustration-figure'}
            >
              {figure}
            </text>
            <path d="M16 62h88M16 74h56" />
          </>
        )}
      </g>
    </svg>
  )
}
