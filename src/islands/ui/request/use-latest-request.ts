import { useEffect, useState } from 'react'
import { createLatestRequest, type LatestRequest } from './latest-request.ts'

/** The requests of one search of a component; the one under way is dropped with the component. */
export function useLatestRequest(): LatestRequest {
  const [latest] = useState(createLatestRequest)
  useEffect(() => latest.cancel, [latest])
  return latest
}
