import { initialsOf } from '#lib/core/shared/text/initials.ts'

/** A photo or initials; decorative, because the name is always displayed next to it. */
export function Avatar({ name, src }: { name: string; src?: string | null }) {
  return (
    <span className="mark" aria-hidden="true">
      {src ? <img src={src} alt="" width={32} height={32} /> : initialsOf(name)}
    </span>
  )
}
