import { useEffect, useState } from 'react'
import { createLatestRequest, type LatestRequest } from './latest-request.ts'

/** The requests of one search of a component; the current one is aborted when the component is unmounted. */
export function useLatestRequest(): LatestRequest {
  const [latest] = useState(createLatestRequest)
  useEffect(() => latest.cancel, [latest])
  return latest
}
