/** Shows a sound level from 0 to 1. */
export function LevelMeter({ label, level }: { label: string; level: number }) {
  const scaledLevel = Math.min(1, level * 1.6)
  return (
    <label className="grid gap-1 text-sm">
      {label}
      <meter className="level" min={0} max={1} value={scaledLevel} />
    </label>
  )
}
