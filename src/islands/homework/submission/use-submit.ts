import { useEffect, useRef, useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { showSuccess } from '#islands/stores/notice.ts'
import { refreshPage } from '#islands/stores/page.ts'
import { retryUntilAccepted } from '#islands/stores/retry.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { FileItemState } from './file-item.ts'
import { forgetPending, rememberPending } from './pending-submission.ts'
import type { SubmissionProps } from './submission-props.ts'

export type SubmitState =
  | { kind: 'idle' | 'sending' | 'waiting' | 'offline' | 'signedOut' }
  | { kind: 'refused'; message: string }

/**
 * Submits the answer once: immediately, after the uploads, or when the network or the login session is back. A second
 * call does nothing. An unfinished recording must be used or discarded first.
 */
export function useSubmit(
  own: SubmissionProps,
  text: string,
  items: readonly FileItemState[],
  t: Translate,
  recording: boolean,
) {
  const [state, setState] = useState<SubmitState>({ kind: 'idle' })
  const latest = useRef(text)
  latest.current = text
  const busy = useRef(false)
  const retrying = useRef<AbortController | null>(null)
  const { owner, taskId, attempt } = own
  const isUploading = items.some(({ step }) => step === 'coming' || step === 'waits')
  const hasFailedUpload = items.some(({ step }) => step === 'interrupted' || step === 'failed')

  async function submitAnswer(): Promise<void> {
    if (busy.current) return
    retrying.current?.abort()
    const controller = new AbortController()
    retrying.current = controller
    const submit = () => {
      busy.current = true
      setState({ kind: 'sending' })
      return api.homework.submit({ taskId, attempt, text: latest.current }, { context: { isQuiet: true } })
    }
    try {
      await retryUntilAccepted(submit, {
        signal: controller.signal,
        onWait(reason, failure) {
          if (failure.broken) return
          busy.current = false
          setState({ kind: reason })
        },
      })
      forgetPending(owner, taskId)
      showSuccess(t('homework:form.sent'))
      refreshPage()
    } catch (error) {
      // Canceled, submitted again, or the page was left: in the last case the answer is submitted when the page is
      // opened again.
      if (controller.signal.aborted) return
      busy.current = false
      const failure = CallError.from(error)
      forgetPending(owner, taskId)
      const faultMessage = failure.broken ? t('homework:form.fault') : undefined
      setState({ kind: 'refused', message: faultMessage ?? errorMessage(failure) })
    }
  }

  function requestSubmit(): void {
    if (busy.current) return
    if (!hasFailedUpload && !recording) rememberPending(owner, taskId, attempt)
    if (recording) setState({ kind: 'refused', message: t('homework:record.unfinished') })
    else if (hasFailedUpload) setState({ kind: 'refused', message: t('errors:homework_uploading') })
    else if (isUploading) setState({ kind: 'waiting' })
    else void submitAnswer()
  }

  function cancel(): void {
    retrying.current?.abort()
    forgetPending(owner, taskId)
    setState({ kind: 'idle' })
  }

  const again = useRef(submitAnswer)
  again.current = submitAnswer
  useEffect(() => () => retrying.current?.abort(), [])

  const ready = state.kind === 'waiting' && !isUploading
  useEffect(() => {
    if (!ready) return
    if (hasFailedUpload) setState({ kind: 'refused', message: t('errors:homework_uploading') })
    else void again.current()
  }, [ready, hasFailedUpload, t])

  return { state, press: requestSubmit, cancel }
}

const errorMessage = ({ fields, message }: CallError): string => fields.form?.[0] ?? fields.text?.[0] ?? message
