/** Path, authentication and limits of /mcp, which the HTTP server needs before the endpoint is loaded. */
import type { Mount } from '../../../http/limits/web-handler.js'
import { refusal } from './refusal.js'

export function mcpMount({ maxBodyBytes }: { maxBodyBytes: number }): Omit<Mount, 'fetch'> {
  return {
    path: '/mcp',
    // Pending mailboxes may call: some tools report what they wait for.
    auth: 'pending',
    maxBodyBytes,
    json: true,
    refuse: refusal,
  }
}
