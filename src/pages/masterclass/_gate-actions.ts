import { EnterMasterclass } from '#lib/masterclass/schema.ts'
import { enterMasterclass, type MasterclassVisitor } from '#lib/masterclass/visit.ts'
import { textOf } from '../course/_transfer/posted.ts'

/** Form action of the gate; returns the path of the visit. */
export function createGateActions(visitor: MasterclassVisitor, workshopId: string) {
  return {
    enter: async (form: FormData) => {
      // People don't see this field and leave it empty.
      if (textOf(form, 'website') !== '') return `/masterclass/${workshopId}`
      const { key } = await enterMasterclass(
        visitor,
        EnterMasterclass.parse({
          workshopId,
          name: textOf(form, 'name'),
          email: textOf(form, 'email'),
          code: textOf(form, 'code'),
          timeZone: textOf(form, 'timeZone'),
        }),
      )
      return `/masterclass/${workshopId}?${new URLSearchParams({ key })}`
    },
  }
}
