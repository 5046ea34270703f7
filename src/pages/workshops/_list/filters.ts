import { PUBLICATIONS, WORKSHOP_STATUS, WORKSHOP_TYPES } from '#lib/core/shared/event/live-event.ts'

/** Fields of the filter form of `/workshops`, as in the URL. */
export const FILTERS = ['type', 'publication', 'status', 'search'] as const

/** Reads the filter from a URL; unknown values count as "all". */
export function readEventFilter(params: URLSearchParams) {
  const readChoice = <T extends string>(list: readonly T[], name: string): T | 'all' =>
    list.find((word) => word === params.get(name)) ?? 'all'
  return {
    type: readChoice(WORKSHOP_TYPES, 'type'),
    publication: readChoice(PUBLICATIONS, 'publication'),
    status: readChoice(WORKSHOP_STATUS, 'status'),
    search: (params.get('search') ?? '').trim().slice(0, 100),
    archived: params.get('archived') === '1',
  }
}
export type Filter = ReturnType<typeof readEventFilter>

/** The URL of the list with this filter and one changed parameter. */
export function eventListUrl(filter: Filter, more: { archived?: boolean; cursor?: string | null } = {}): string {
  const query = new URLSearchParams()
  for (const name of FILTERS) if (filter[name] !== 'all' && filter[name] !== '') query.set(name, filter[name])
  if (more.archived ?? filter.archived) query.set('archived', '1')
  if (more.cursor) query.set('cursor', more.cursor)
  return query.size > 0 ? `/workshops?${query}` : '/workshops'
}
