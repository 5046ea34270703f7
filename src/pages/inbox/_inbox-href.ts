import type { InboxFilter } from '#lib/inbox/schema.ts'

/** What of the inbox is shown. */
export type ShownInbox = Pick<InboxFilter, 'tab' | 'kind'>

/** The address of the inbox with the same filter. */
export function inboxHref({ tab, kind }: ShownInbox, more: Record<string, string> = {}): string {
  const query = new URLSearchParams({ ...(tab !== 'open' && { tab }), ...(kind && { kind }), ...more })
  return query.size > 0 ? `/inbox?${query}` : '/inbox'
}
