import type { WorkshopType } from '#lib/core/shared/event/live-event.ts'

/**
 * The tabs of an event's page, by type; labels: `workshop:tab.<name>`, components: `_Edit.astro`. The first one is the
 * default.
 */
export const TABS = {
  webinar: [
    'facts',
    'speakers',
    'slides',
    'materials',
    'chat',
    'recording',
    'people',
    'emails',
    'settings',
    'rehearsal',
  ],
  autoWebinar: [
    'facts',
    'script',
    'schedule',
    'speakers',
    'slides',
    'materials',
    'chat',
    'recording',
    'people',
    'emails',
    'settings',
  ],
  masterclass: ['facts', 'page', 'speakers', 'materials', 'people', 'emails', 'settings'],
} as const satisfies Record<WorkshopType, readonly string[]>

export type Tab = (typeof TABS)[WorkshopType][number]

export const tabOf = (type: WorkshopType, requested: string | null): Tab => {
  const tabs: readonly Tab[] = TABS[type]
  return tabs.find((tab) => tab === requested) ?? 'facts'
}
