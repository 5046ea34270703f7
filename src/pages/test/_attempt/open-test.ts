import { Refusal } from '#lib/core/http/refusal.ts'

/** Runs a reading function of a student; null while the lesson or course is closed, whose reason `/test/{id}` shows. */
export async function loadIfOpen<T>(loadPage: () => Promise<T>): Promise<{ loaded: T } | null> {
  try {
    return { loaded: await loadPage() }
  } catch (error) {
    if (error instanceof Refusal && error.code === 'forbidden' && error.details.data?.reason) return null
    throw error
  }
}
