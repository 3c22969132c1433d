export interface Page {
  limit: number
  cursor?: string | undefined
}

export interface List<T> {
  data: T[]
  has_more: boolean
  next_cursor: string | null
}
