extension RecordBuffer {
    /// Leaves the object's record in the buffer, under the whole key that is in ``key``.
    mutating func encode(_ object: some Model, _ layout: RecordLayout) throws {
        begin(layout, isWide: false)
        try object.encode(into: &record)
        if try finish() { return }
        begin(layout, isWide: true)
        try object.encode(into: &record)
        _ = try finish()
    }
}
