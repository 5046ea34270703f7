import { z } from 'zod'

export const GetSlidesOutput = z.object({ address: z.string().nullable() })

export const StagePlace = z.enum(['off', 'on', 'invited'])
