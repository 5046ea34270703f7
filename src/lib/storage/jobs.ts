import type { JobList } from '#lib/core/jobs/jobs.ts'

export const storageJobs: JobList = {}
