import { useState } from 'react'
import { CallError } from '#islands/stores/call-error.ts'
import { showSuccess } from '#islands/stores/notice.ts'

interface Options {
  successText: string
  /** Shown when the server gave no reason. */
  failureText: string
  onClose(): void
}

/** The request of a dialog, which closes the dialog when it succeeds, and the error above its buttons. */
export function useDialogRequest({ successText, failureText, onClose }: Options) {
  const [error, setError] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const sendRequest = async (request: () => Promise<unknown>): Promise<void> => {
    setBusy(true)
    try {
      await request()
      showSuccess(successText)
      onClose()
    } catch (failure) {
      setError(CallError.from(failure).message || failureText)
    } finally {
      setBusy(false)
    }
  }
  return { error, setError, isBusy, sendRequest }
}
