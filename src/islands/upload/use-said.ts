import { useEffect, useRef, useState } from 'react'
import type { Upload, UploadStep } from '#islands/stores/uploads.ts'
import type { Say } from '#lib/core/shared/strings.ts'

const SAID = ['done', 'failed', 'offline', 'signedOut', 'twin', 'lost', 'processing'] as const

/** What a screen reader is told: that a file came to an end or wants something, never each percent. */
export function useSaid(uploads: readonly Upload[], say: Say): string {
  const before = useRef(new Map<string, UploadStep>())
  const [said, setSaid] = useState('')
  useEffect(() => {
    const last = uploads.findLast(({ id, step }) => saidOf(step) && before.current.get(id) !== step)
    before.current = new Map(uploads.map(({ id, step }) => [id, step]))
    const step = last && saidOf(last.step)
    if (step) setSaid(say(`storage:tray.said.${step}`, { name: last.name }))
  }, [uploads, say])
  return said
}

const saidOf = (step: UploadStep) => SAID.find((one) => one === step)
