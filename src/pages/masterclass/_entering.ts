import { enterMasterclass, type Visitor } from '#lib/masterclass/visit.ts'
import { textOf } from '../course/_transfer/posted.ts'

/** What the form at the gate does; it gives the address of the visit. */
export function entering(comer: Visitor, workshopId: string) {
  return {
    enter: async (form: FormData) => {
      // People don't see this field and leave it empty.
      if (textOf(form, 'website') !== '') return `/masterclass/${workshopId}`
      const { key } = await enterMasterclass(comer, {
        workshopId,
        name: textOf(form, 'name'),
        email: textOf(form, 'email'),
        code: textOf(form, 'code'),
        timeZone: textOf(form, 'timeZone'),
      })
      return `/masterclass/${workshopId}?${new URLSearchParams({ key })}`
    },
  }
}
