import { CallError } from '#islands/stores/call-error.ts'
import { fail } from '#islands/stores/notice.ts'

/** Says why something could not be done: in the server's words where it has refused, otherwise in general ones. */
export function failWith(error: unknown): void {
  const { message, fields, unexpected } = CallError.from(error)
  fail(unexpected ? '' : (Object.values(fields).flat()[0] ?? message))
}
