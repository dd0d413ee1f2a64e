/// That a save lets a record's relationship, which has an inverse, point at a target, or no longer.
struct LinkChange {
    let relationship: Int
    let source: RecordNumber
    let target: RecordNumber
    let adds: Bool
}
