import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { CallError } from '#islands/stores/call-error.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { OwnWork } from '../submission/submission-props.ts'
import { createRecordAnswer } from './answer-recording.ts'
import { listSources, type RecordSource } from './capture.ts'
import { canRecord } from './recorder.ts'
import { recordCalls, removeUpload } from './recording-upload.ts'

const SOURCES: Record<'video' | 'voice', readonly RecordSource[]> = {
  video: ['camera', 'screen'],
  voice: ['voice'],
}

/** The recording of an answer, and what this device can record of what the task takes. */
export function useRecord(own: OwnWork, t: Translate) {
  const [answer] = useState(() =>
    createRecordAnswer({
      owner: own.owner,
      taskId: own.taskId,
      attempt: own.attempt,
      maxBytes: own.maxBytes,
      nameOf: (source) => t(`homework:record.name.${source}`, { at: nowForName() }),
      wordsOf: (error) => {
        const { fields, message } = CallError.from(error)
        return fields.file?.[0] ?? fields.form?.[0] ?? message
      },
      calls: recordCalls(own),
      remove: (uploadId) => removeUpload(own, uploadId),
    }),
  )
  const state = useStore(answer.$state)
  const [sources, setSources] = useState<readonly RecordSource[]>([])
  const { record } = own
  useEffect(() => {
    let current = true
    if (record && canRecord()) {
      const wanted = SOURCES[record]
      void listSources().then((able) => current && setSources(wanted.filter((one) => able.includes(one))))
    }
    void answer.restore()
    return () => {
      current = false
      answer.leave()
    }
  }, [answer, record])

  const running = state.step === 'recording' || state.step === 'paused' || state.step === 'saving'
  // What is recorded stays on the device; what would still be recorded does not.
  const guarded = running || (state.step === 'review' && !state.kept)
  useEffect(() => {
    if (!guarded) return
    const guard = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', guard)
    return () => window.removeEventListener('beforeunload', guard)
  }, [guarded])

  return { answer, state, sources, isOpen: running || state.step === 'review' }
}

function nowForName(): string {
  const now = new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString()
  return `${now.slice(0, 10)} ${now.slice(11, 16).replace(':', '-')}`
}
