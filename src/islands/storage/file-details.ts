import type { api } from '#islands/stores/api.ts'

export type Details = Awaited<ReturnType<typeof api.storage.get>>
