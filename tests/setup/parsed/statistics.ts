import { findSessionMessages as domainFindSessionMessages } from '#lib/statistics/find-messages.ts'
import { listStatistics as domainListStatistics } from '#lib/statistics/list.ts'
import { FindMoments, ListStatistics, ListViewers } from '#lib/statistics/schema.ts'
import { exportViewers as domainExportViewers, listViewers as domainListViewers } from '#lib/statistics/viewers.ts'
import { parsed } from './parsed.ts'

export const listViewers = parsed(ListViewers, domainListViewers)
export const listStatistics = parsed(ListStatistics, domainListStatistics)
export const findSessionMessages = parsed(FindMoments, domainFindSessionMessages)
export const exportViewers = parsed(ListViewers, domainExportViewers)
