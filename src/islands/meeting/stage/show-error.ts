import { CallError } from '#islands/stores/call-error.ts'
import { showFailure } from '#islands/stores/notice.ts'

/** Shows a notice with the server's message of a refusal, or a general message for other errors. */
export function showError(error: unknown): void {
  const { message, fields, unexpected } = CallError.from(error)
  showFailure(unexpected ? '' : (Object.values(fields).flat()[0] ?? message))
}
