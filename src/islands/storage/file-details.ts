import type { api } from '#islands/stores/api.ts'

export type FileDetails = Awaited<ReturnType<typeof api.storage.get>>
