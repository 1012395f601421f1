// The dashboard.
export { GET, HEAD, OPTIONS } from '../../api/[...path]/route.js'

export const dynamic = 'force-dynamic'
