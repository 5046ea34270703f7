import { z } from 'zod'
import { FILE_FAILURES } from '#lib/core/shared/stored-file.ts'
import { FileId, StartUpload } from '../schema.ts'

/** Extensions of presentations that are converted to PDF where LibreOffice is installed. */
export const CONVERTIBLE = /\.(?:pptx?|pptm|ppsx?|potx?|odp)$/i

export const StartConversion = StartUpload.omit({ parentId: true })
export type StartConversion = z.output<typeof StartConversion>
/** The id of the upload. */
export const PresentationRef = z.object({ fileId: FileId })

export const ConverterView = z.object({ isAvailable: z.boolean() })

export const ConversionState = z.discriminatedUnion('is', [
  z.object({ is: z.literal('pending') }),
  /** `fileId`: the PDF. */
  z.object({ is: z.literal('ready'), fileId: z.string() }),
  z.object({ is: z.literal('failed'), failure: z.enum(FILE_FAILURES) }),
])
export type ConversionState = z.output<typeof ConversionState>
