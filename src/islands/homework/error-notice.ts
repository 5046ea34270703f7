import { CallError } from '#islands/stores/call-error.ts'
import { showFailure } from '#islands/stores/notice.ts'

/** Runs calls and shows an expected refusal as a notice; unexpected errors have been reported already. */
export async function withErrorNotice(run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (error) {
    const failure = CallError.from(error)
    if (!failure.unexpected) showFailure(failure.fields.form?.[0] ?? failure.message)
  }
}
