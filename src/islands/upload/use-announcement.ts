import { useEffect, useRef, useState } from 'react'
import type { Upload } from '#islands/stores/upload/upload-list.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'

const SAID = ['done', 'failed', 'offline', 'signedOut', 'twin', 'lost', 'processing'] as const

/** What a screen reader is told: that a file came to an end or wants something, never each percent. */
export function useSaid(uploads: readonly Upload[], t: Translate): string {
  const before = useRef(new Map<string, string | undefined>())
  const [said, setSaid] = useState('')
  useEffect(() => {
    const last = uploads.findLast((upload) => saidOf(upload) && before.current.get(upload.id) !== saidOf(upload))
    before.current = new Map(uploads.map((upload) => [upload.id, saidOf(upload)]))
    const key = last && saidOf(last)
    if (key) setSaid(t(`storage:tray.said.${key}`, { name: last.name }))
  }, [uploads, t])
  return said
}

const saidOf = ({ step, playableSeconds: readable }: Upload) =>
  step === 'done' && readable !== null ? 'truncated' : SAID.find((one) => one === step)
