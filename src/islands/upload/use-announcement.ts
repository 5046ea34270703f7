import { useEffect, useRef, useState } from 'react'
import type { Upload } from '#islands/stores/upload/upload-list.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'

const ANNOUNCED_STEPS = ['done', 'failed', 'offline', 'signedOut', 'duplicate', 'lost', 'processing'] as const

/** Announcements for screen readers: the end of an upload and what needs the user, not each percent. */
export function useAnnouncement(uploads: readonly Upload[], t: Translate): string {
  const before = useRef(new Map<string, string | undefined>())
  const [announcement, setAnnouncement] = useState('')
  useEffect(() => {
    const last = uploads.findLast(
      (upload) => announcementKey(upload) && before.current.get(upload.id) !== announcementKey(upload),
    )
    before.current = new Map(uploads.map((upload) => [upload.id, announcementKey(upload)]))
    const key = last && announcementKey(last)
    if (key) setAnnouncement(t(`storage:tray.announcement.${key}`, { name: last.name }))
  }, [uploads, t])
  return announcement
}

const announcementKey = ({ step, playableSeconds: readable }: Upload) =>
  step === 'done' && readable !== null ? 'truncated' : ANNOUNCED_STEPS.find((announced) => announced === step)
