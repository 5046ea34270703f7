/** Sections of a group; the first one has the URL of the group. */
export const GROUP_VIEWS = ['members', 'progress', 'meetings', 'announcements', 'links', 'settings'] as const
export type GroupView = (typeof GROUP_VIEWS)[number]

export const readGroupView = (params: URLSearchParams): GroupView =>
  GROUP_VIEWS.find((view) => view === params.get('view')) ?? 'members'

/** The URL of a group, or of a part of it: `base` with further parameters. */
export function groupAddress(base: string, params: Readonly<Record<string, string | readonly string[]>> = {}): string {
  const [path = '', query] = base.split('?')
  const search = new URLSearchParams(query)
  for (const [name, value] of Object.entries(params)) {
    for (const text of typeof value === 'string' ? [value] : value) search.append(name, text)
  }
  return search.size > 0 ? `${path}?${search}` : path
}
