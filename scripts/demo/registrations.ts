import type { Actor } from '#lib/core/shared/actor.ts'
import { cancelRegistrations } from '#lib/registration/registrants/decisions.ts'
import { importRegistrations } from '#lib/registration/registrants/import.ts'
import { listRegistrations } from '#lib/registration/registrants/registrants.ts'
import { ImportRegistrations, ListRegistrations } from '#lib/registration/schema.ts'

const PEOPLE = [
  'iryna.bondar@example.com,Ірина Бондар,+380 67 111 22 33',
  'taras.kovalchuk@example.com,Тарас Ковальчук,',
  'nadiia.shevchuk@example.com,Надія Шевчук,+380 50 765 43 21',
  'oleh.marchenko@example.com,Олег Марченко,',
  'sofiia.lysenko@example.com,Софія Лисенко,+380 63 222 10 98',
  'bohdan.tkachuk@example.com,Богдан Ткачук,',
  'liudmyla.polishchuk@example.com,Людмила Поліщук,',
]

/** People who are registered for the school's next webinar, and one who has canceled. */
export async function registerPeople(author: Actor, workshopId: string): Promise<void> {
  await importRegistrations(author, ImportRegistrations.parse({ workshopId, text: PEOPLE.join('\n') }))
  const { items } = await listRegistrations(author, ListRegistrations.parse({ workshopId, search: 'tkachuk' }))
  const registrationIds = items.map(({ id }) => id)
  if (registrationIds.length > 0) await cancelRegistrations(author, { workshopId, registrationIds })
}
