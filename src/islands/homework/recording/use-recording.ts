import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { canRecordInBrowser } from '#islands/broadcast/recorder.ts'
import { CallError } from '#islands/stores/call-error.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import type { SubmissionProps } from '../submission/submission-props.ts'
import { createAnswerRecording } from './answer-recording.ts'
import { listRecordingSources, type RecordingSource } from './capture.ts'
import { createUploadCalls, removeRecordingUpload } from './recording-upload.ts'

const SOURCES: Record<'video' | 'voice', readonly RecordingSource[]> = {
  video: ['camera', 'screen'],
  voice: ['voice'],
}

/** The recording of an answer, and the sources that this device and the task allow. */
export function useRecording(own: SubmissionProps, t: Translate) {
  const [answer] = useState(() =>
    createAnswerRecording({
      owner: own.owner,
      taskId: own.taskId,
      attempt: own.attempt,
      maxBytes: own.maxBytes,
      createName: (source) => t(`homework:record.name.${source}`, { at: nameTimestamp() }),
      messageOf: (error) => {
        const { fields, message } = CallError.from(error)
        return fields.file?.[0] ?? fields.form?.[0] ?? message
      },
      calls: createUploadCalls(own),
      removeUpload: (uploadId) => removeRecordingUpload(own, uploadId),
    }),
  )
  const state = useStore(answer.$state)
  const [sources, setSources] = useState<readonly RecordingSource[]>([])
  const { record } = own
  useEffect(() => {
    let current = true
    if (record && canRecordInBrowser()) {
      const usableSources = SOURCES[record]
      void listRecordingSources().then(
        (able) => current && setSources(usableSources.filter((source) => able.includes(source))),
      )
    }
    void answer.restore()
    return () => {
      current = false
      answer.leave()
    }
  }, [answer, record])

  const isRunning = state.step === 'recording' || state.step === 'paused' || state.step === 'saving'
  // Stored recordings survive closing the page; a running one does not.
  const isUnsaved = isRunning || (state.step === 'review' && !state.isStored)
  useEffect(() => {
    if (!isUnsaved) return
    const preventClose = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', preventClose)
    return () => window.removeEventListener('beforeunload', preventClose)
  }, [isUnsaved])

  return { answer, state, sources, isOpen: isRunning || state.step === 'review' }
}

function nameTimestamp(): string {
  const now = new Date(Date.now() - new Date().getTimezoneOffset() * MINUTE_MS).toISOString()
  return `${now.slice(0, 10)} ${now.slice(11, 16).replace(':', '-')}`
}
