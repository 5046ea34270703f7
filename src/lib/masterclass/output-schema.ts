import { z } from 'zod'
import { MasterclassContent } from './schema.ts'

export const MasterclassDraft = z.object({
  content: MasterclassContent,
  version: z.number(),
  videoNames: z.record(z.string(), z.string()),
})

export const SaveMasterclassOutput = z.object({ version: z.number() })

const PartViewSeries = z.object({
  id: z.string(),
  title: z.string(),
  plays: z.number(),
  share: z.number().nullable(),
  series: z.array(z.number()),
})

export const GetCurvesOutput = z.array(PartViewSeries)
