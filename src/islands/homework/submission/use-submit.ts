import { useEffect, useRef, useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { showSuccess } from '#islands/stores/notice.ts'
import { refreshPage } from '#islands/stores/page.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { forget, remember } from './pending-submission.ts'
import type { OwnWork } from './submission-props.ts'
import type { FileLine } from './use-answer-files.ts'

export type Sending =
  | { kind: 'idle' | 'sending' | 'waiting' | 'offline' | 'signedOut' }
  | { kind: 'refused'; words: string }

const RETRY_MILLISECONDS = 10_000

/**
 * Hands the answer in once: at once, when the files have come, or when the network or the person is back. `press` a
 * second time does nothing. A recording that is neither used nor thrown away is asked about first.
 */
export function useSending(own: OwnWork, text: string, lines: readonly FileLine[], t: Translate, recording: boolean) {
  const [state, setState] = useState<Sending>({ kind: 'idle' })
  const latest = useRef(text)
  latest.current = text
  const busy = useRef(false)
  const { owner, taskId, attempt } = own
  const coming = lines.some(({ step }) => step === 'coming' || step === 'waits')
  const broken = lines.some(({ step }) => step === 'interrupted' || step === 'failed')

  async function send(): Promise<void> {
    if (busy.current) return
    busy.current = true
    setState({ kind: 'sending' })
    try {
      await api.homework.submit({ taskId, attempt, text: latest.current }, { context: { isQuiet: true } })
      forget(owner, taskId)
      showSuccess(t('homework:form.sent'))
      refreshPage()
    } catch (error) {
      busy.current = false
      const failure = CallError.from(error)
      if (failure.status === 401) return setState({ kind: 'signedOut' })
      if (failure.temporary) return setState({ kind: 'offline' })
      forget(owner, taskId)
      const words = failure.broken ? t('homework:form.fault') : undefined
      setState({ kind: 'refused', words: words ?? wordsOf(failure) })
    }
  }

  function press(): void {
    if (busy.current) return
    if (!broken && !recording) remember(owner, taskId, attempt)
    if (recording) setState({ kind: 'refused', words: t('homework:record.unfinished') })
    else if (broken) setState({ kind: 'refused', words: t('errors:homework_uploading') })
    else if (coming) setState({ kind: 'waiting' })
    else void send()
  }

  function cancel(): void {
    forget(owner, taskId)
    setState({ kind: 'idle' })
  }

  const again = useRef(send)
  again.current = send
  const waits = state.kind === 'offline' || state.kind === 'signedOut'
  useEffect(() => {
    if (!waits) return
    const retry = () => void again.current()
    const timer = setInterval(retry, RETRY_MILLISECONDS)
    window.addEventListener('online', retry)
    window.addEventListener('focus', retry)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', retry)
      window.removeEventListener('focus', retry)
    }
  }, [waits])

  const ready = state.kind === 'waiting' && !coming
  useEffect(() => {
    if (!ready) return
    if (broken) setState({ kind: 'refused', words: t('errors:homework_uploading') })
    else void again.current()
  }, [ready, broken, t])

  return { state, press, cancel }
}

const wordsOf = ({ fields, message }: CallError): string => fields.form?.[0] ?? fields.text?.[0] ?? message
