import { useStore } from '@nanostores/react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { Menu } from '#islands/ui/Menu.tsx'
import { useLatestRequest } from '#islands/ui/request/use-latest-request.ts'
import { isStaff } from '#lib/meeting/chat/rules.ts'
import type { PeopleView, PersonView } from '#lib/meeting/chat/schema.ts'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { $banRevision } from '../chat/chat-ban.ts'
import { createModerationMenu } from '../chat/chat-menu.ts'
import { useChatAction } from '../chat/use-chat-action.ts'
import { $me, $onlineCount, roomApi, roomNow } from '../room.ts'
import { useTranslation } from '../translation.ts'

const SEARCH_DEBOUNCE_MS = 250
/** Maximum number of rows in memory. */
const MAX_ROWS = 150

/** Participants: viewers see the numbers and the staff; staff see everybody, with search and pages. */
export function ParticipantPanel({ view }: { view: RoomView }) {
  const { t } = useTranslation()
  const me = useStore($me) ?? view.me
  const online = useStore($onlineCount) ?? view.online
  const staff = isStaff(me.role)
  const [search, setSearch] = useState('')
  const [onlyRestricted, setOnlyRestricted] = useState(false)
  const [list, setList] = useState<PeopleView | null>(null)
  const { errorText, run } = useChatAction()

  const latest = useLatestRequest()
  // A reload after a slow action uses the current filter.
  const filter = useRef({ search, onlyRestricted })
  filter.current = { search, onlyRestricted }
  const loadPage = useCallback(
    (cursor?: string) => {
      const request = () =>
        roomApi.listPeople({
          search: filter.current.search.trim(),
          ...(filter.current.onlyRestricted ? { onlyRestricted: true } : {}),
          ...(cursor ? { cursor } : {}),
        })
      const showPage = (page: PeopleView) =>
        setList((known) =>
          cursor && known ? { ...page, people: [...known.people, ...page.people].slice(-MAX_ROWS) } : page,
        )
      return latest.run(request, showPage, (error) => {
        if (cursor) throw error
      })
    },
    [latest],
  )
  useEffect(() => {
    latest.cancel()
    const timer = setTimeout(() => void loadPage(), search || onlyRestricted ? SEARCH_DEBOUNCE_MS : 0)
    return () => clearTimeout(timer)
  }, [search, onlyRestricted, loadPage, latest])
  useEffect(() => $banRevision.listen(() => void loadPage()), [loadPage])

  const next = list?.next ?? null
  return (
    <div className="chat-page">
      {!view.mentoring && (
        <p className="chat-hint" role="status">
          {t('meeting:people.online', { count: online })}
          {list && staff && `, ${t('meeting:people.total', { count: list.total })}`}
        </p>
      )}
      {view.mentoring ? null : staff ? (
        <div className="chat-search">
          <input
            type="search"
            className="input input-sm w-full"
            aria-label={t('meeting:people.search')}
            placeholder={t('meeting:people.search')}
            value={search}
            onChange={({ target }) => setSearch(target.value)}
          />
          <label className="chat-check">
            <input
              type="checkbox"
              className="checkbox checkbox-sm"
              checked={onlyRestricted}
              onChange={({ target }) => setOnlyRestricted(target.checked)}
            />
            {t('meeting:people.held')}
          </label>
        </div>
      ) : (
        <h3 className="chat-title">{t('meeting:people.staff')}</h3>
      )}
      {errorText && (
        <p className="chat-failed" role="alert">
          {errorText}
        </p>
      )}
      {list?.people.length === 0 && <p className="chat-empty">{t('meeting:people.empty')}</p>}
      <ul aria-label={t('meeting:people.list')} className="people">
        {list?.people.map((person) => (
          <ParticipantRow
            key={person.personId}
            person={person}
            entries={createModerationMenu(person, {
              t,
              me,
              run: (action) =>
                run(async () => {
                  await action()
                  await loadPage()
                }),
            })}
          />
        ))}
      </ul>
      {next && (
        <button type="button" className="btn btn-sm" onClick={() => run(() => loadPage(next))}>
          {t('meeting:people.more')}
        </button>
      )}
      {!staff && !view.mentoring && <p className="chat-hint">{t('meeting:people.privacy')}</p>}
    </div>
  )
}

function ParticipantRow({ person, entries }: { person: PersonView; entries: ReturnType<typeof createModerationMenu> }) {
  const { t } = useTranslation()
  const { name, role, email, online, mutedUntil, isolated, banned } = person
  return (
    <li className="person">
      <span className="person-dot" data-online={online || undefined} aria-hidden="true" />
      <span className="person-name">
        {name}
        {email && <small>{email}</small>}
      </span>
      <span className="sr-only">{t(online ? 'meeting:people.here' : 'meeting:people.away')}</span>
      {role !== 'viewer' && <span className="chat-badge">{t(`meeting:role.${role}`)}</span>}
      {mutedUntil !== null && mutedUntil > roomNow() && <span className="chat-mark">{t('meeting:people.muted')}</span>}
      {isolated && <span className="chat-mark">{t('meeting:people.isolated')}</span>}
      {banned && <span className="chat-mark">{t('meeting:people.banned')}</span>}
      {entries.length > 0 && (
        <Menu
          trigger={
            <button type="button" className="btn btn-xs btn-ghost" aria-label={t('meeting:people.acts', { name })}>
              ⋯
            </button>
          }
          entries={entries}
        />
      )}
    </li>
  )
}
