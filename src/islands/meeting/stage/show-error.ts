import { CallError } from '#islands/stores/call-error.ts'
import { showFailure } from '#islands/stores/notice.ts'

/** Says why something could not be done: in the server's words where it has refused, otherwise in general ones. */
export function showError(error: unknown): void {
  const { message, fields, unexpected } = CallError.from(error)
  showFailure(unexpected ? '' : (Object.values(fields).flat()[0] ?? message))
}
