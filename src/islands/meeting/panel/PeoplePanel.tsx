import { useStore } from '@nanostores/react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { Menu } from '#islands/ui/Menu.tsx'
import { useLatestRequest } from '#islands/ui/use-latest-request.ts'
import { isStaff } from '#lib/meeting/chat/rules.ts'
import type { PeopleView, PersonView } from '#lib/meeting/chat/schema.ts'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { $bans } from '../chat/chat-ban.ts'
import { orderMenu } from '../chat/chat-menu.ts'
import { useRun } from '../chat/chat-run.ts'
import { $me, $online, act, now } from '../room.ts'
import { useWords } from '../stage/stage-words.ts'

const PATIENCE_MS = 250
/** Of a longer list the device holds its end, and asks for more. */
const MOST = 150

/** Who is there: for a viewer the numbers and who runs the event; for the staff everybody, by search and by pages. */
export function PeoplePanel({ view }: { view: RoomView }) {
  const { say } = useWords()
  const me = useStore($me) ?? view.me
  const online = useStore($online) ?? view.online
  const staff = isStaff(me.role)
  const [search, setSearch] = useState('')
  const [held, setHeld] = useState(false)
  const [list, setList] = useState<PeopleView | null>(null)
  const { words, run } = useRun()

  const latest = useLatestRequest()
  // An order that ends late reads by what is searched for then.
  const filter = useRef({ search, held })
  filter.current = { search, held }
  const read = useCallback(
    (cursor?: string) => {
      const request = () =>
        act.listPeople({
          search: filter.current.search.trim(),
          ...(filter.current.held ? { held: true } : {}),
          ...(cursor ? { cursor } : {}),
        })
      const take = (page: PeopleView) =>
        setList((known) =>
          cursor && known ? { ...page, people: [...known.people, ...page.people].slice(-MOST) } : page,
        )
      return latest.run(request, take, (error) => {
        if (cursor) throw error
      })
    },
    [latest],
  )
  useEffect(() => {
    latest.cancel()
    const timer = setTimeout(() => void read(), search || held ? PATIENCE_MS : 0)
    return () => clearTimeout(timer)
  }, [search, held, read, latest])
  useEffect(() => $bans.listen(() => void read()), [read])

  const next = list?.next ?? null
  return (
    <div className="chat-page">
      <p className="chat-hint" role="status">
        {say('meeting:people.online', { count: online })}
        {list && staff && `, ${say('meeting:people.total', { count: list.total })}`}
      </p>
      {staff ? (
        <div className="chat-search">
          <input
            type="search"
            className="input input-sm w-full"
            aria-label={say('meeting:people.search')}
            placeholder={say('meeting:people.search')}
            value={search}
            onChange={({ target }) => setSearch(target.value)}
          />
          <label className="chat-check">
            <input
              type="checkbox"
              className="checkbox checkbox-sm"
              checked={held}
              onChange={({ target }) => setHeld(target.checked)}
            />
            {say('meeting:people.held')}
          </label>
        </div>
      ) : (
        <h3 className="chat-title">{say('meeting:people.staff')}</h3>
      )}
      {words && (
        <p className="chat-failed" role="alert">
          {words}
        </p>
      )}
      {list?.people.length === 0 && <p className="chat-empty">{say('meeting:people.empty')}</p>}
      <ul aria-label={say('meeting:people.list')} className="people">
        {list?.people.map((person) => (
          <Person
            key={person.personId}
            person={person}
            entries={orderMenu(person, {
              say,
              me,
              run: (order) =>
                run(async () => {
                  await order()
                  await read()
                }),
            })}
          />
        ))}
      </ul>
      {next && (
        <button type="button" className="btn btn-sm" onClick={() => run(() => read(next))}>
          {say('meeting:people.more')}
        </button>
      )}
      {!staff && <p className="chat-hint">{say('meeting:people.privacy')}</p>}
    </div>
  )
}

function Person({ person, entries }: { person: PersonView; entries: ReturnType<typeof orderMenu> }) {
  const { say } = useWords()
  const { name, role, email, online, mutedUntil, isolated, banned } = person
  return (
    <li className="person">
      <span className="person-dot" data-online={online || undefined} aria-hidden="true" />
      <span className="person-name">
        {name}
        {email && <small>{email}</small>}
      </span>
      <span className="sr-only">{say(online ? 'meeting:people.here' : 'meeting:people.away')}</span>
      {role !== 'viewer' && <span className="chat-badge">{say(`meeting:role.${role}`)}</span>}
      {mutedUntil !== null && mutedUntil > now() && <span className="chat-mark">{say('meeting:people.muted')}</span>}
      {isolated && <span className="chat-mark">{say('meeting:people.isolated')}</span>}
      {banned && <span className="chat-mark">{say('meeting:people.banned')}</span>}
      {entries.length > 0 && (
        <Menu
          trigger={
            <button type="button" className="btn btn-xs btn-ghost" aria-label={say('meeting:people.acts', { name })}>
              ⋯
            </button>
          }
          entries={entries}
        />
      )}
    </li>
  )
}
