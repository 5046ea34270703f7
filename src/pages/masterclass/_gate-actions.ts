import { EnterMasterclass } from '#lib/masterclass/schema.ts'
import { enterMasterclass, type MasterclassVisitor } from '#lib/masterclass/visit.ts'
import { formText } from '../_request/form-actions.ts'

/** Form action of the gate; returns the path of the visit. */
export function createGateActions(visitor: MasterclassVisitor, workshopId: string) {
  return {
    enter: async (form: FormData) => {
      // Honeypot: invisible to people, who leave it empty.
      if (formText(form, 'website') !== '') return `/masterclass/${workshopId}`
      const { key } = await enterMasterclass(
        visitor,
        EnterMasterclass.parse({
          workshopId,
          name: formText(form, 'name'),
          email: formText(form, 'email'),
          code: formText(form, 'code'),
          timeZone: formText(form, 'timeZone'),
        }),
      )
      return `/masterclass/${workshopId}?${new URLSearchParams({ key })}`
    },
  }
}
