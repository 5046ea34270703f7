import { initialsOf } from '#lib/core/shared/text/initials.ts'

/** A face or initials; decoration beside the name, which always stands next to it. */
export function Avatar({ name, src }: { name: string; src?: string | null }) {
  return (
    <span className="mark" aria-hidden="true">
      {src ? <img src={src} alt="" width={32} height={32} /> : initialsOf(name)}
    </span>
  )
}
