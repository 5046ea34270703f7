interface RingProps {
  /** 0 to 1. */
  share: number
  /** Accessible name that contains the number as text: «Пройдено 45 %». */
  label: string
  size?: number
}

const RADIUS = 16
const CIRCUMFERENCE = 2 * Math.PI * RADIUS

/** A progress ring for cards; it contains the number when it is large enough. */
export function ProgressRing({ share, label, size = 40 }: RingProps) {
  const clamped = Math.min(1, Math.max(0, share))
  const percent = Math.round(clamped * 100)
  return (
    <svg width={size} height={size} viewBox="0 0 40 40" role="img" aria-label={label}>
      <circle cx="20" cy="20" r={RADIUS} fill="none" strokeWidth="4" className="stroke-base-300" />
      <circle
        cx="20"
        cy="20"
        r={RADIUS}
        fill="none"
        strokeWidth="4"
        strokeLinecap="round"
        strokeDasharray={`${clamped * CIRCUMFERENCE} ${CIRCUMFERENCE}`}
        transform="rotate(-90 20 20)"
        className={clamped === 0 ? 'stroke-none' : percent === 100 ? 'stroke-success' : 'stroke-primary'}
      />
      {size >= 40 && (
        <text
          x="20"
          y="20"
          dy="0.35em"
          textAnchor="middle"
          fontSize="11"
          fontWeight="600"
          className="fill-base-content"
        >
          {percent}
        </text>
      )}
    </svg>
  )
}

interface BarProps {
  /** 0 to 1; null while unknown. */
  share: number | null
  label: string
  /** The remaining time or count: «ще 2 хв», «34 з 120 рядків». */
  remaining?: string
}

export function ProgressBar({ share, label, remaining: remains }: BarProps) {
  return (
    <div className="grid gap-1">
      <div className="flex flex-wrap justify-between gap-x-4 text-sm">
        <span>{label}</span>
        {remains && <span className="text-muted">{remains}</span>}
      </div>
      <progress
        className="progress progress-primary w-full"
        aria-label={label}
        max={100}
        {...(share === null ? {} : { value: Math.round(share * 100) })}
      />
    </div>
  )
}
